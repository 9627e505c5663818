import * as z from 'zod';
import { probeSchema } from './probe.ts';

/** As `register_endpoint`, by a person: with the name of a kept secret as its key. */
export const addEndpoint = {
  input: z.strictObject({
    name: z.string().min(1).max(64),
    base_url: z.string().min(1),
    backend: z
      .string()
      .optional()
      .describe('Kind of server, where try_endpoint says that it is needed'),
    notes: z.string().optional(),
    secret: z.string().min(1).optional().describe('Name of the kept secret that is its key'),
  }),
  output: z.object({ endpoint: z.string(), file: z.string(), probe: probeSchema }),
};
