import { toWire } from '../../protocol/keys.ts';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { jobProvenance } from '../../protocol/mcpProvenance.ts';
import { reviewJob as contract } from '../../protocol/ui/reviewJob.ts';
import { defineTool } from '../tool.ts';

export const reviewJob = defineTool({
  name: 'review_job',
  title: 'Review job',
  description: 'What there is to decide about a job, read from its worktree as it is now.',
  effect: 'read',
  isIdempotent: true,
  input: contract.input,
  output: answerSchema(contract.output.shape),
  run: async (args, { bridge }) => {
    const job = bridge.job(args.job_id);
    const state = await bridge.reviews.state(job.id);
    return {
      provenance: jobProvenance(job),
      fields: toWire({ jobId: job.id, ...state }) as Record<string, unknown>,
    };
  },
});
