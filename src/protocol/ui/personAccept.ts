import * as z from 'zod';
import { jobRecordSchema } from '../job.ts';
import { acceptResultSchema } from './acceptResult.ts';

/** `accept_job` as a person presses it: with texts from the merge editor, and over a gate that did not pass once that was said. */
export const personAccept = {
  input: z.strictObject({
    job_id: z.string().min(1),
    files: z
      .array(z.string())
      .min(1)
      .optional()
      .describe('Only these; default: all that are not dropped'),
    how: z.enum(['working-tree', 'branch']).optional().describe('Default working-tree'),
    dry_run: z.boolean().optional(),
    skip_conflicts: z.boolean().optional(),
    resolved: z
      .array(z.object({ path: z.string(), content_base64: z.string() }))
      .optional()
      .describe('Finished texts by path'),
    accept_gate_failure: z.boolean().optional(),
  }),
  output: z.object({ job: jobRecordSchema, result: acceptResultSchema }),
};
