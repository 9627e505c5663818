import { groupOf } from '../../protocol/jobGroup.ts';
import { chooseModel } from '../delegate/chooseModel.ts';
import type { HostParts } from '../hostParts.ts';
import { jobArgument } from './jobArgument.ts';
import { jobName } from './jobName.ts';
import { recordOf } from './recordOf.ts';

/** Starts the task of a finished job anew, on an endpoint that is chosen now; the job itself stays as it is. */
export async function retryJobCommand(
  args: readonly unknown[],
  parts: HostParts,
): Promise<string | undefined> {
  const { link, selectedRows } = parts;
  const jobId = await jobArgument(args, parts, {
    title: 'Retry which job?',
    fits: (job) => ['review', 'finished'].includes(groupOf(job)),
    none: 'No job has ended yet.',
  });
  if (jobId === undefined) return undefined;
  const job = await recordOf(jobId, parts);
  return chooseModel(parts, {
    title: `Retry ${jobName(job)}`,
    before: job.endpoint === null ? null : { endpoint: job.endpoint, model: job.modelServed },
    use: async (who) => {
      const { job: next } = await link.call('retry_job', {
        jobId,
        ...(who.kind === 'model' ? { endpoint: who.endpoint } : {}),
        ...(who.kind === 'model' && who.model !== null ? { model: who.model } : {}),
      });
      selectedRows.show(next.id);
      return next.id;
    },
  });
}
