import * as z from 'zod';
import { jobRecordSchema } from '../job.ts';

/**
 * Rejects single files of a job, or takes that back. Nothing is deleted: a dropped file is left out when the rest is accepted.
 * When every file is taken or dropped the job is decided: all dropped is a rejected job, else what was taken stays and the worktree is put away.
 */
export const dropFiles = {
  input: z.strictObject({
    job_id: z.string().min(1),
    files: z.array(z.string()).min(1),
    take_back: z.boolean().optional(),
  }),
  output: z.object({ job: jobRecordSchema }),
};
