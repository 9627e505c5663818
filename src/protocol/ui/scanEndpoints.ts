import * as z from 'zod';
import { triedEndpointSchema } from './triedEndpoint.ts';

/** Asks the ports of this machine on which model servers usually listen. Only loopback, and no model is asked anything. */
export const scanEndpoints = {
  input: z.strictObject({
    ports: z
      .array(z.number().int().min(1).max(65_535))
      .max(64)
      .optional()
      .describe('Default: the usual ones'),
  }),
  output: z.object({
    asked: z.array(z.string()).describe('Base URLs that were asked'),
    found: z.array(triedEndpointSchema),
  }),
};
