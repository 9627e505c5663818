import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { jobProvenance } from '../../protocol/mcpProvenance.ts';
import { mergeInputs as contract } from '../../protocol/ui/mergeInputs.ts';
import { defineTool } from '../tool.ts';

export const mergeInputs = defineTool({
  name: 'merge_inputs',
  title: 'Merge inputs',
  description: 'The texts for a merge editor of a file that the job and the user both changed.',
  effect: 'read',
  isIdempotent: true,
  input: contract.input,
  output: answerSchema(contract.output.shape),
  run: async (args, { bridge }) => {
    const job = bridge.job(args.job_id);
    const texts = await bridge.reviews.mergeInputs(job.id, args.path);
    return {
      provenance: jobProvenance(job),
      fields: {
        base_base64: texts.base.toString('base64'),
        yours_base64: texts.yours.toString('base64'),
        job_base64: texts.job.toString('base64'),
        result_base64: texts.result.toString('base64'),
      },
    };
  },
});
