import * as z from 'zod';

export const poolUseSchema = z.object({
  name: z.string(),
  slots: z.number(),
  in_use: z.number(),
  waiting: z.array(
    z.object({
      job_id: z.string(),
      position: z.number(),
      waited_s: z.number(),
      reason: z.string().nullable().optional(),
    }),
  ),
});

/** Why jobs for an endpoint wait although it has places; null: nothing keeps them from it. */
export const endpointPauseSchema = z
  .object({
    state: z.enum(['paused', 'trying', 'partly']),
    for_s: z.number().nullable(),
    reason: z.string(),
    models: z.array(z.object({ model: z.string(), for_s: z.number() })),
  })
  .nullable();

/** Places in use, read from the store: no endpoint is asked, so a view may ask at every change of a job. */
export const slotUse = {
  input: z.strictObject({ cwd: z.string().optional() }),
  output: z.object({
    /** Only those that have a job, or that jobs are kept from. */
    endpoints: z.array(
      z.object({ name: z.string(), in_use: z.number(), pause: endpointPauseSchema.optional() }),
    ),
    pools: z.array(poolUseSchema),
  }),
};
