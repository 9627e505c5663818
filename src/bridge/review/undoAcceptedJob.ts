import { BridgeError } from '../../base/bridgeError.ts';
import type { JobRecord } from '../../protocol/job.ts';
import type { BridgeContext } from '../bridgeContext.ts';
import type { AcceptOutcome, Caller } from '../bridgeTypes.ts';
import { jobDir } from '../jobs/jobPaths.ts';
import type { AcceptResult } from '../worktrees/acceptTypes.ts';
import { undoAccept as undoWrites } from '../worktrees/undoAccept.ts';
import { bringBack } from './putAway.ts';
import { presentCoverage } from './presentCoverage.ts';
import { DIRTY_PATHS_LIFETIME_MS, repoRootOf, reviewerOf } from './reviewRules.ts';
import { shareVerdict } from './shareVerdict.ts';

/**
 * Puts back what the last accept of a job wrote; in the checkout itself, what was last taken back there. Files that were rejected
 * alone stay so.
 */
export async function undoAcceptedJob(
  context: BridgeContext,
  job: JobRecord,
  caller: Caller,
): Promise<AcceptOutcome> {
  const { review } = job;
  const isInPlace = job.isolation === 'none';
  const isTakenBack = isInPlace && (review.status === 'rejected' || review.dropped.length > 0);
  if (review.status !== 'accepted' && review.status !== 'partly' && !isTakenBack) {
    throw new BridgeError('wrong_state', `Nothing of the job ${job.id} has been accepted.`, {
      hint: 'There is nothing to undo.',
    });
  }
  const undone = await undoWrites({
    git: await context.git(),
    stateDir: context.stateDir,
    repoRoot: repoRootOf(context, job.id),
    jobDir: jobDir(context.stateDir, job.id),
    jobId: job.id,
    dirtyPaths: context.store.dirtyPaths(Date.now() - DIRTY_PATHS_LIFETIME_MS),
    skipConflicts: false,
  });
  const result: AcceptResult = {
    status: undone.status === 'undone' ? 'applied' : undone.status,
    applied: undone.restored.map((path) => ({ path, how: 'written' })),
    conflicts: undone.conflicts,
    skipped: [],
    undoRef: undone.undoRef,
    commit: null,
    coverage: 'exact',
  };
  if (undone.status === 'refused') return { job, result };
  const isLeft = (path: string): boolean => !undone.restored.includes(path);
  const files = isInPlace ? review.files : review.files.filter(isLeft);
  const dropped = isInPlace ? review.dropped.filter(isLeft) : review.dropped;
  const tree =
    job.worktree?.kept === false ? ((await bringBack(context, job))?.tree ?? null) : job.worktree;
  const isUnmerged = job.gate?.covers === 'merged' && files.length === 0 && tree?.kept === true;
  const covers = isUnmerged && !isInPlace ? await presentCoverage(context, job, tree) : null;
  const record = context.store.update(job.id, (present) => ({
    ...present,
    worktree: tree,
    gate: present.gate === null || covers === null ? present.gate : { ...present.gate, covers },
    review: {
      status: files.length === 0 || isInPlace ? 'pending' : 'partly',
      by: reviewerOf(caller),
      at: new Date().toISOString(),
      files,
      dropped,
    },
  }));
  return { job: shareVerdict(context, record), result };
}
