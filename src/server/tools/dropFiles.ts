import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { dropFiles as contract } from '../../protocol/ui/dropFiles.ts';
import { defineTool } from '../tool.ts';
import { JOB_FIELDS, jobAnswer } from '../toolAnswers.ts';

export const dropFiles = defineTool({
  name: 'drop_files',
  title: 'Reject files',
  description: 'Rejects single files of a job, or takes that back.',
  effect: 'destructive',
  isIdempotent: true,
  input: contract.input,
  output: answerSchema(JOB_FIELDS),
  run: async (args, context) => {
    const { id } = context.bridge.job(args.job_id);
    const job = await context.bridge.reviews.dropFiles(id, context.caller, {
      files: args.files,
      isTakenBack: args.take_back ?? false,
    });
    return jobAnswer(job, context);
  },
});
