import * as z from 'zod';

export const poolUseSchema = z.object({
  name: z.string(),
  slots: z.number(),
  in_use: z.number(),
  waiting: z.array(z.object({ job_id: z.string(), position: z.number(), waited_s: z.number() })),
});

/** Places in use, read from the store: no endpoint is asked, so a view may ask at every change of a job. */
export const slotUse = {
  input: z.strictObject({ cwd: z.string().optional() }),
  output: z.object({
    /** Only those that have a job. */
    endpoints: z.array(z.object({ name: z.string(), in_use: z.number() })),
    pools: z.array(poolUseSchema),
  }),
};
