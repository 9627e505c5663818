import * as z from 'zod';

/** Writes the job's side of a file, as an editor saves it: never through a link, never outside the worktree, mode kept. */
export const saveReviewFile = {
  input: z.strictObject({
    job_id: z.string().min(1),
    path: z.string().min(1),
    content_base64: z.string(),
  }),
  output: z.object({ size_bytes: z.number().int(), mtime_ms: z.number() }),
};
