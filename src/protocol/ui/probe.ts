import * as z from 'zod';

export const probeSchema = z.object({
  state: z.enum(['up', 'down']),
  why: z.string().nullable(),
  message: z.string().nullable(),
  hint: z.string(),
  backend: z.string(),
  models: z.array(
    z.object({
      id: z.string(),
      context: z.number().nullable(),
      context_source: z.string().nullable(),
      warning: z.string().nullable(),
      loaded: z.boolean().nullable(),
      claims_tools: z.boolean().nullable(),
      remote_host: z.string().nullable(),
    }),
  ),
  lists_models: z.boolean(),
  slots: z.object({ total: z.number(), busy: z.number().nullable() }).nullable(),
  load: z
    .object({
      running: z.number().nullable(),
      waiting: z.number().nullable(),
      kv_usage: z.number().nullable(),
    })
    .nullable(),
  latency_ms: z.number(),
  warnings: z.array(z.string()),
});
