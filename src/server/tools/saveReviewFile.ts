import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { jobProvenance } from '../../protocol/mcpProvenance.ts';
import { saveReviewFile as contract } from '../../protocol/ui/saveReviewFile.ts';
import { bytesOf } from '../bytesOf.ts';
import { defineTool } from '../tool.ts';

export const saveReviewFile = defineTool({
  name: 'save_review_file',
  title: 'Save review file',
  description: "Writes the job's side of a file before it is accepted.",
  effect: 'write',
  isIdempotent: true,
  input: contract.input,
  output: answerSchema(contract.output.shape),
  run: async ({ job_id: jobId, path, content_base64: content }, { bridge }) => {
    const job = bridge.job(jobId);
    const saved = await bridge.reviews.saveFile(job.id, path, bytesOf(content, path));
    return {
      provenance: jobProvenance(job),
      fields: { size_bytes: saved.sizeBytes, mtime_ms: saved.mtimeMs },
    };
  },
});
