import * as z from 'zod';
import type { JobDiff } from '../../bridge/bridgeTypes.ts';
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
    note: z.string().nullable().describe('Why there is no patch, or no way to know'),
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
        note: diff.note,
        files: toWire(diff.files),
        patch: `${diff.patch}${patchNote}`,
      },
      text: `${listOf(diff)}\n\n${diff.patch}${patchNote}`,
      resourceUri: `delegate://jobs/${job.id}/diff`,
    };
  },
});

function listOf({ files, note }: JobDiff): string {
  const list = files.map((file) => `${file.change} ${file.path}`);
  if (note !== null) return [note, ...list].join('\n');
  return list.length === 0 ? 'Nothing was changed.' : list.join('\n');
}
