import { BridgeError } from '../../base/bridgeError.ts';
import type { JobRecord } from '../../protocol/job.ts';
import type { BridgeContext } from '../bridgeContext.ts';
import type { Caller } from '../bridgeTypes.ts';
import { rejectJob as dropWorktree } from '../worktrees/rejectJob.ts';
import { undoWholeFolder } from './reviewInPlace.ts';
import { assertUnused, placeOf, reviewableTree, reviewerOf, treeOf } from './reviewRules.ts';
import { shareVerdict } from './shareVerdict.ts';

/** Drops the worktree of a job, its content kept behind a ref. What was accepted of it before stays accepted. */
export async function rejectFinishedJob(
  context: BridgeContext,
  job: JobRecord,
  caller: Caller,
): Promise<JobRecord> {
  const tree = reviewableTree(job);
  if (job.isolation === 'none') return undoWholeFolder(context, job, tree, caller);
  assertUnused(context, job, tree);
  const removed = await dropWorktree({
    ...(await placeOf(context, job)),
    ...treeOf(tree),
    tooLarge: 'refuse',
  });
  if (removed.status === 'refused') {
    throw new BridgeError(
      'storage_full',
      `Some ignored output is too large to keep: ${removed.tooLarge.map((item) => item.path).join(', ')}.`,
      {
        hint: 'Move it out of the worktree or delete it there, then reject again.',
      },
    );
  }
  const left = removed.cleanUp.left.map((item) => `${item.what}: ${item.why}`);
  const record = context.store.update(job.id, (present) => ({
    ...present,
    worktree: {
      ...tree,
      kept: left.length > 0,
      note: left.length > 0 ? `needs clean-up: ${left.join('; ')}` : 'rejected',
    },
    review: {
      ...rejected(present),
      by: reviewerOf(caller),
      at: new Date().toISOString(),
    },
  }));
  return shareVerdict(context, record);
}

/** The word on the whole, or on what was left of a job that had been accepted in part. */
function rejected({
  review,
  filesChanged,
}: JobRecord): Pick<JobRecord['review'], 'status' | 'files' | 'dropped'> {
  const { files } = review;
  if (files.length === 0) return { status: 'rejected', files, dropped: review.dropped };
  const paths = filesChanged.map((file) => file.path);
  return { status: 'partly', files, dropped: paths.filter((path) => !files.includes(path)) };
}
