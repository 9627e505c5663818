import * as z from 'zod';

/** One side of a changed file: `base` as a checkout would have it, `job` as it lies in the worktree. A link's content is its target. */
export const reviewFile = {
  input: z.strictObject({
    job_id: z.string().min(1),
    path: z.string().min(1).describe('Relative to the top of the repository'),
    side: z.enum(['base', 'job']),
    /** Answers with the facts alone. */
    stat_only: z.boolean().optional(),
  }),
  output: z.object({
    exists: z.boolean(),
    /** Null when it does not exist or only facts were asked for. */
    content_base64: z.string().nullable(),
    size_bytes: z.number().int(),
    /** Milliseconds since 1970; of the base: the job's start. */
    mtime_ms: z.number(),
    is_link: z.boolean(),
    mode: z.string().nullable(),
  }),
};
