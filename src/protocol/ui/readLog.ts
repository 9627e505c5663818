import * as z from 'zod';

/**
 * A log of a job from a place on: what follows it asks again with `next_offset`. Whole lines only, unless one is longer than a page.
 * Who reads the end of a long log starts anywhere with `from_line_start`, and learns with `offset` where the text really begins.
 */
export const readLog = {
  input: z.strictObject({
    job_id: z.string().min(1),
    what: z.enum(['transcript', 'events', 'gate', 'requests', 'host']),
    offset: z.number().int().min(0).describe('In bytes'),
    max_bytes: z.number().int().min(1_024).max(1_048_576).optional().describe('Default 262144'),
    from_line_start: z
      .boolean()
      .optional()
      .describe('Leave out the rest of a line that began before offset'),
  }),
  output: z.object({
    text: z.string(),
    /** Where the text begins. */
    offset: z.number().int(),
    next_offset: z.number().int(),
    size_bytes: z.number().int(),
  }),
};
