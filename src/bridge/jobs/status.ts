import type { JobStatus } from '../../protocol/job.ts';

/** The only moves a job may make. Nothing sets a status but `transition`. */
const ALLOWED: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  queued: ['starting', 'cancelled', 'refused', 'failed'],
  starting: ['queued', 'running', 'failed', 'timeout', 'cancelled', 'lost', 'refused'],
  running: ['gating', 'done', 'failed', 'timeout', 'cancelled', 'lost'],
  gating: ['running', 'done', 'failed', 'timeout', 'cancelled', 'lost'],
  done: [],
  failed: [],
  timeout: [],
  cancelled: [],
  lost: [],
  refused: [],
};

export const LIVE_STATUSES = [
  'starting',
  'running',
  'gating',
] as const satisfies readonly JobStatus[];

export function canMove(from: JobStatus, to: JobStatus): boolean {
  return ALLOWED[from].includes(to);
}

export function isFinal(status: JobStatus): boolean {
  return ALLOWED[status].length === 0;
}

/** Whether the job holds a place in its pool. */
export function isLive(status: JobStatus): boolean {
  return (LIVE_STATUSES as readonly JobStatus[]).includes(status);
}
