import * as z from 'zod';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { defineTool } from '../tool.ts';
import { JOB_FIELDS, jobAnswer } from '../toolAnswers.ts';

export const runGate = defineTool({
  name: 'run_gate',
  title: 'Run gate',
  description: "Runs a gate again in a job's worktree as it is now.",
  effect: 'write',
  isIdempotent: false,
  input: z.strictObject({
    job_id: z.string().min(1),
    gate: z.string().optional().describe('Default: the gate of the job'),
  }),
  output: answerSchema(JOB_FIELDS),
  run: async (args, context) => {
    const { id } = context.bridge.job(args.job_id);
    const { reviews } = context.bridge;
    return jobAnswer(await reviews.runGate(id, args.gate ?? null, context.signal), context);
  },
});
