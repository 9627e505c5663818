import * as z from 'zod';
import { changedFileSchema } from '../job.ts';

/** What there is to decide about a job right now: read from its worktree, not from the record. */
export const reviewJob = {
  input: z.strictObject({ job_id: z.string().min(1) }),
  output: z.object({
    job_id: z.string(),
    base: z.string().nullable(),
    repo_root: z.string().nullable(),
    /** Top of the worktree; null when it is gone. */
    root: z.string().nullable(),
    files: z.array(
      changedFileSchema.extend({
        /** `taken`: it was accepted. `dropped`: it was rejected alone; the job's file is untouched. */
        decision: z.enum(['open', 'taken', 'dropped']),
      }),
    ),
    /** Whether the gate saw what is in the worktree now; null without a gate that ran. */
    gate_covers: z.enum(['exact', 'edited', 'merged']).nullable(),
    /** Why there is nothing to decide; null when there is. */
    note: z.string().nullable(),
  }),
};
