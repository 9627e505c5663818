import type { JobRecord, JobStatus } from './job.ts';

/** Where a job stands in every list: what waits for a person, what runs, what waits for a place, and the rest. */
export const JOB_GROUPS = ['review', 'running', 'waiting', 'finished'] as const;
export type JobGroup = (typeof JOB_GROUPS)[number];

const LIVE: ReadonlySet<JobStatus> = new Set(['starting', 'running', 'gating']);

/** The part of a record that decides about its group. */
export type GroupedJob = Pick<
  JobRecord,
  'status' | 'review' | 'worktree' | 'isolation' | 'filesChanged'
>;

export function groupOf(job: GroupedJob): JobGroup {
  if (job.status === 'queued') return 'waiting';
  if (LIVE.has(job.status)) return 'running';
  return waitsForReview(job) ? 'review' : 'finished';
}

/**
 * A job that is over, whatever its end, with something that nobody has decided about: a worktree that is still there (also one
 * whose changes could not be listed: it may hold work), or changes in the folder itself. The store has the same rule in SQL.
 */
function waitsForReview(job: GroupedJob): boolean {
  if (job.status === 'queued' || LIVE.has(job.status)) return false;
  const isPending = job.review.status === 'pending';
  if (job.isolation === 'none') return isPending && job.filesChanged.length > 0;
  return (isPending || job.review.status === 'partly') && job.worktree?.kept === true;
}
