import type { JobRecord } from '../../protocol/job.ts';
import type { HostParts } from '../hostParts.ts';

/** The record of a job as it is now: of one that the list does not hold, too. */
export async function recordOf(
  jobId: string,
  { link }: Pick<HostParts, 'link'>,
): Promise<JobRecord> {
  const { job } = await link.call('job_status', { jobId });
  return job;
}
