import * as z from 'zod';
import { triedEndpointSchema } from './triedEndpoint.ts';

/** What answers at an address, before anything is written. */
export const tryEndpoint = {
  input: z.strictObject({
    base_url: z.string().min(1).max(2000),
    secret: z.string().min(1).optional().describe('Name of the kept secret that is its key'),
    model: z.string().min(1).optional().describe('Model that is asked to call a tool'),
    check_tools: z
      .boolean()
      .optional()
      .describe(
        'Ask a model to call a tool: one small request. Default: where it is near and a model is loaded',
      ),
  }),
  output: triedEndpointSchema,
};
