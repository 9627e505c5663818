import * as z from 'zod';

const reason = z.object({ job_id: z.string(), why: z.string() });

export const gc = {
  input: z.strictObject({ dry_run: z.boolean().optional() }),
  output: z.object({
    removed_jobs: z.array(z.string()),
    freed_bytes: z.number(),
    kept: z.array(reason),
    needs_clean_up: z.array(z.object({ job_id: z.string(), what: z.string(), why: z.string() })),
    /** What each job takes now, largest first; empty unless it was a dry run. `tree_bytes`: its worktree, which is kept. */
    disk: z.array(
      z.object({ job_id: z.string(), bytes: z.number(), tree_bytes: z.number().nullable() }),
    ),
  }),
};
