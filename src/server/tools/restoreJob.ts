import * as z from 'zod';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { defineTool } from '../tool.ts';
import { JOB_FIELDS, jobAnswer } from '../toolAnswers.ts';

export const restoreJob = defineTool({
  name: 'restore_job',
  title: 'Restore job',
  description: 'Brings a rejected job back for review.',
  effect: 'write',
  isIdempotent: true,
  input: z.strictObject({ job_id: z.string().min(1) }),
  output: answerSchema(JOB_FIELDS),
  run: async (args, context) => {
    const { id } = context.bridge.job(args.job_id);
    return jobAnswer(await context.bridge.reviews.restore(id, context.caller), context);
  },
});
