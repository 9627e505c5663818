import * as z from 'zod';
import { jobRecordSchema } from '../job.ts';

/** A job as a list shows it: the record without the model's last words, the brief cut, and its place in the queue. */
const feedJobSchema = jobRecordSchema.extend({
  queue_position: z.number().int().nullable(),
  /** Real path of the job's repository; null outside git. */
  repo_root: z.string().nullable(),
  /** A number that grows with each submit, over all processes: the order of the list. */
  seq: z.number().int(),
});

/**
 * Three questions in one tool. Without `since` and `before`: every job that is not over or waits for a review, and the newest
 * page of the rest. With `since`: every job changed after that revision. With `before`: the next older page of the rest.
 */
export const jobFeed = {
  input: z.strictObject({
    since: z.number().int().optional().describe('Revision of the last answer'),
    before: z.number().int().optional().describe('seq of the oldest finished job known'),
    folders: z
      .array(z.string())
      .min(1)
      .optional()
      .describe('Only jobs of the repositories that hold one of these folders'),
    limit: z
      .number()
      .int()
      .min(1)
      .max(200)
      .optional()
      .describe('Finished jobs of a page; default 50'),
  }),
  output: z.object({
    revision: z.number().int(),
    jobs: z.array(feedJobSchema),
    /** Of the finished ones (over, and not waiting for a review) that fit the filter. */
    finished_total: z.number().int(),
    /** All jobs in the store that fit the filter: fewer than before means some were removed. */
    total: z.number().int(),
  }),
};
