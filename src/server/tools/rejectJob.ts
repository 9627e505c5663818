import * as z from 'zod';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { defineTool } from '../tool.ts';
import { JOB_FIELDS, jobAnswer } from '../toolAnswers.ts';

export const rejectJob = defineTool({
  name: 'reject_job',
  title: 'Reject job',
  description:
    'Drops the worktree of a job. Its content stays behind a ref from which a person can restore it.',
  effect: 'destructive',
  isIdempotent: true,
  input: z.strictObject({ job_id: z.string().min(1) }),
  output: answerSchema(JOB_FIELDS),
  run: async (args, context) => {
    const { id } = context.bridge.job(args.job_id);
    return jobAnswer(await context.bridge.reviews.reject(id, context.caller), context);
  },
});
