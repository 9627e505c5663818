import * as z from 'zod';
import { jobRecordSchema, policySchema } from '../job.ts';

/** Submits the brief of a job again, as it was asked for, with another endpoint, model or policy where named. */
export const retryJob = {
  input: z.strictObject({
    job_id: z.string().min(1),
    endpoint: z.string().optional(),
    model: z.string().optional(),
    policy: policySchema.optional(),
  }),
  output: z.object({ job: jobRecordSchema }),
};
