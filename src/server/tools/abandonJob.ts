import * as z from 'zod';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { defineTool } from '../tool.ts';
import { JOB_FIELDS, jobAnswer } from '../toolAnswers.ts';

export const abandonJob = defineTool({
  name: 'abandon_job',
  title: 'Abandon job',
  description: 'Ends the review of a job without a decision about its content.',
  effect: 'destructive',
  isIdempotent: true,
  input: z.strictObject({ job_id: z.string().min(1) }),
  output: answerSchema(JOB_FIELDS),
  run: async (args, context) => {
    const { id } = context.bridge.job(args.job_id);
    return jobAnswer(await context.bridge.reviews.abandon(id, context.caller), context);
  },
});
