import * as z from 'zod';
import { changedFileSchema } from '../../protocol/job.ts';
import { toWire } from '../../protocol/keys.ts';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { jobProvenance } from '../../protocol/mcpProvenance.ts';
import { MAX_ANSWER_BYTES } from '../boundAnswer.ts';
import { defineTool } from '../tool.ts';

/** Leaves room for the change list and for the escapes of JSON. */
const MAX_PATCH_BYTES = Math.floor(MAX_ANSWER_BYTES * 0.6);

export const jobDiff = defineTool({
  name: 'job_diff',
  title: 'Job diff',
  description:
    'What a job changed against the commit it started from: the list of files and a bounded patch. For more of the patch name files.',
  effect: 'read',
  isIdempotent: true,
  input: z.strictObject({
    job_id: z.string().min(1),
    files: z.array(z.string()).optional().describe('Only these, as the list names them'),
  }),
  output: answerSchema({
    job_id: z.string(),
    base: z.string().nullable(),
    files: z.array(changedFileSchema),
    patch: z.string(),
    patch_truncated: z.boolean(),
  }),
  run: async (args, { bridge }) => {
    const job = bridge.job(args.job_id);
    const diff = await bridge.diff(job.id, {
      ...(args.files === undefined ? {} : { files: args.files }),
      maxBytes: MAX_PATCH_BYTES,
    });
    const patchNote = diff.isPatchTruncated
      ? `\n… [cut: the whole patch is the resource delegate://jobs/${job.id}/diff; or name files]`
      : '';
    return {
      provenance: jobProvenance(job),
      fields: {
        job_id: job.id,
        base: diff.base,
        patch_truncated: diff.isPatchTruncated,
        files: toWire(diff.files),
        patch: `${diff.patch}${patchNote}`,
      },
      text: `${diff.files.map((file) => `${file.change} ${file.path}`).join('\n') || 'Nothing was changed.'}\n\n${diff.patch}${patchNote}`,
      resourceUri: `delegate://jobs/${job.id}/diff`,
    };
  },
});
