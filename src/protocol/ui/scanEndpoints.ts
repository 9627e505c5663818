import * as z from 'zod';
import { probeSchema } from './probe.ts';

/** Asks the ports of this machine on which model servers usually listen. Only loopback. */
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
    found: z.array(
      z.object({
        base_url: z.string(),
        suggested_name: z.string(),
        /** Name in the configuration, when one has this address already. */
        registered_as: z.string().nullable(),
        probe: probeSchema,
      }),
    ),
  }),
};
