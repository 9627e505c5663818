import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { jobProvenance } from '../../protocol/mcpProvenance.ts';
import { reviewFile as contract } from '../../protocol/ui/reviewFile.ts';
import { defineTool } from '../tool.ts';

export const reviewFile = defineTool({
  name: 'review_file',
  title: 'Review file',
  description: 'One side of a changed file: at the base, or as the job left it.',
  effect: 'read',
  isIdempotent: true,
  input: contract.input,
  output: answerSchema(contract.output.shape),
  run: async ({ job_id: jobId, path, side, stat_only: isStatOnly = false }, { bridge }) => {
    const job = bridge.job(jobId);
    const file = await bridge.reviews.file(job.id, { path, side, isStatOnly });
    return {
      provenance: jobProvenance(job),
      fields: {
        exists: file.exists,
        content_base64: file.content?.toString('base64') ?? null,
        size_bytes: file.sizeBytes,
        mtime_ms: file.mtimeMs,
        is_link: file.isLink,
        mode: file.mode,
      },
    };
  },
});
