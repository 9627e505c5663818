import * as z from 'zod';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { defineTool } from '../tool.ts';
import { JOB_FIELDS, jobAnswer } from '../toolAnswers.ts';

export const cancelJob = defineTool({
  name: 'cancel_job',
  title: 'Cancel job',
  description:
    'Ends a job and every process of it, then answers with the final record. What it had changed is kept in its worktree. A job that is over is left as it is.',
  effect: 'destructive',
  isIdempotent: true,
  input: z.strictObject({ job_id: z.string().min(1) }),
  output: answerSchema(JOB_FIELDS),
  run: async (args, context) => {
    const { id } = context.bridge.job(args.job_id);
    return jobAnswer(await context.bridge.cancel(id, context.caller), context);
  },
});
