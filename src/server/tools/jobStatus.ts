import * as z from 'zod';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { defineTool } from '../tool.ts';
import { JOB_FIELDS, jobAnswer } from '../toolAnswers.ts';

export const jobStatus = defineTool({
  name: 'job_status',
  title: 'Job status',
  description: 'The whole record of one job as it is now: its receipt once it has ended.',
  effect: 'read',
  isIdempotent: true,
  input: z.strictObject({ job_id: z.string().min(1) }),
  output: answerSchema(JOB_FIELDS),
  run: async (args, context) => jobAnswer(context.bridge.job(args.job_id), context),
});
