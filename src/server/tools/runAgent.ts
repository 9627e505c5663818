import * as z from 'zod';
import { type JobRecord, jobRequestSchema, type JobRequest } from '../../protocol/job.ts';
import { fromWire } from '../../protocol/keys.ts';
import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { cancelWithClient } from '../cancelWithClient.ts';
import { defineTool, type ToolContext } from '../tool.ts';
import { isOver, JOB_FIELDS, jobOutcome } from '../toolAnswers.ts';
import { runAgentFields } from './runAgentFields.ts';

const input = z.strictObject({
  ...runAgentFields,
  wait_s: z
    .number()
    .min(0)
    .max(86_400)
    .optional()
    .describe('Seconds to wait for the end; default 0: answer at once'),
  cancel_with_client: jobRequestSchema.shape.cancel_with_client.describe(
    'Cancel the job when this call is cancelled',
  ),
});

export const runAgent = defineTool({
  name: 'run_agent',
  title: 'Run agent',
  description:
    'Hands one bounded task to a model that runs elsewhere and answers with the job. The result is a draft: look at it with job_diff, then accept_job or reject_job. With wait_s 0 run the command in "watch" in the background to hear of the end.',
  effect: 'write',
  isIdempotent: false,
  input,
  output: answerSchema({ ...JOB_FIELDS, guidance: z.string() }),
  run: async ({ wait_s: waitS = 0, ...request }, context) => {
    const { bridge, caller, defaultCwd } = context;
    let job = await bridge.submit(fromWire(request) as JobRequest, caller, defaultCwd);
    const dropped = request.cancel_with_client === true ? cancelWithClient(job.id, context) : null;
    try {
      if (waitS > 0 && !isOver(job)) job = await waitForJob(job, waitS, context);
    } finally {
      dropped?.dispose();
    }
    const answer = jobOutcome(job, context);
    if (answer.error?.kind !== 'model_unavailable') return answer;
    const { guidance } = await bridge.listModels({
      cwd: request.cwd ?? defaultCwd,
      signal: context.signal,
    });
    return {
      ...answer,
      error: { ...answer.error, guidance },
      fields: { guidance, ...answer.fields },
    };
  },
});

async function waitForJob(job: JobRecord, waitS: number, context: ToolContext): Promise<JobRecord> {
  context.reportProgress([job]);
  await context.bridge.wait([job.id], {
    mode: 'all',
    timeoutMs: waitS * 1000,
    signal: context.signal,
    onProgress: context.reportProgress,
  });
  return context.bridge.job(job.id);
}
