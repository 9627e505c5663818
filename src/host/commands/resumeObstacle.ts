import type { JobRecord } from '../../protocol/job.ts';
import { groupOf } from '../../protocol/jobGroup.ts';

type Resumable = Pick<
  JobRecord,
  'status' | 'review' | 'worktree' | 'isolation' | 'filesChanged' | 'sessionId' | 'cwd'
>;

/** Why a job cannot go on in its session, with what to do instead; null when it can. */
export function resumeObstacle(job: Resumable): { message: string; hint: string } | null {
  const group = groupOf(job);
  if (group === 'running' || group === 'waiting')
    return { message: 'The job is not over.', hint: 'Wait for its end, or cancel it first.' };
  if (job.sessionId === null)
    return {
      message: 'The job has no session to go on with.',
      hint: 'Use "Retry Job on…" to start its task anew.',
    };
  if (job.isolation === 'worktree' && job.worktree?.kept !== true)
    return {
      message: 'The worktree of the job is gone.',
      hint:
        job.review.status === 'rejected'
          ? 'Restore the job first.'
          : 'Undo the accept first, or delegate what is left to do as a new task.',
    };
  return null;
}
