import { answerSchema } from '../../protocol/mcpAnswer.ts';
import { retryJob as contract } from '../../protocol/ui/retryJob.ts';
import { defineTool } from '../tool.ts';
import { JOB_FIELDS, jobOutcome } from '../toolAnswers.ts';

export const retryJob = defineTool({
  name: 'retry_job',
  title: 'Retry job',
  description:
    'Queues the task of a job again as it was asked for, on another endpoint, model or policy where named.',
  effect: 'write',
  isIdempotent: false,
  input: contract.input,
  output: answerSchema(JOB_FIELDS),
  run: async ({ job_id: jobId, endpoint, model, policy }, context) => {
    const job = await context.bridge.retry(
      jobId,
      {
        ...(endpoint === undefined ? {} : { endpoint }),
        ...(model === undefined ? {} : { model }),
        ...(policy === undefined ? {} : { policy }),
      },
      context.caller,
    );
    return jobOutcome(job, context);
  },
});
