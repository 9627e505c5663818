import * as z from 'zod';
import { localitySchema } from '../job.ts';
import { probeSchema } from './probe.ts';
import { endpointPauseSchema, poolUseSchema } from './slotUse.ts';

/** `list_models` as the views read it. */
export const overview = {
  input: z.strictObject({ cwd: z.string().optional() }),
  output: z.object({
    config_file: z.string(),
    config_stale: z.boolean().optional(),
    problems: z
      .array(
        z.object({
          file: z.string(),
          line: z.number().int(),
          column: z.number().int(),
          severity: z.enum(['error', 'warning']),
          code: z.string(),
          message: z.string(),
          suggestion: z.string().nullable(),
        }),
      )
      .optional(),
    is_configured: z.boolean(),
    configured: z.array(z.string()),
    is_probed: z.boolean(),
    untrusted: z.array(z.string()),
    default_model: z.string().nullable(),
    endpoints: z.array(
      z.object({
        name: z.string(),
        base_url: z.string(),
        host: z.string(),
        notes: z.string(),
        locality: localitySchema,
        max_concurrent: z.number().nullable(),
        in_use: z.number(),
        pause: endpointPauseSchema.optional(),
        probe: probeSchema,
      }),
    ),
    pools: z.array(poolUseSchema),
  }),
};
