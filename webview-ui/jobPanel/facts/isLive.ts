import type { JobRecord } from '../../../src/protocol/job.ts';

/** The job is not over. */
export function isLive({ status }: Pick<JobRecord, 'status'>): boolean {
  return ['queued', 'starting', 'running', 'gating'].includes(status);
}
