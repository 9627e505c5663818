import type { JobRecord, WorktreeRecord } from '../../protocol/job.ts';
import type { BridgeContext } from '../bridgeContext.ts';
import { isFinal } from '../jobs/status.ts';
import { rejectJob as dropWorktree } from '../worktrees/rejectJob.ts';
import { restoreRejected } from '../worktrees/restoreRejected.ts';
import { placeOf, treeOf } from './reviewRules.ts';

/**
 * The tree of a job about which everything is decided goes, kept under a ref like that of a rejected one: an undo brings it back. One
 * that cannot be kept (too large), or is in use by another job, stays.
 */
export async function putAway(
  context: BridgeContext,
  record: JobRecord,
  tree: WorktreeRecord,
): Promise<JobRecord> {
  const isUsed = context.store
    .withWorktree(tree.id)
    .some((other) => other.record.id !== record.id && !isFinal(other.record.status));
  if (isUsed) return record;
  const dropped = await dropWorktree({
    ...(await placeOf(context, record)),
    ...treeOf(tree),
    tooLarge: 'refuse',
  });
  const word = WORDS[record.review.status] ?? record.review.status;
  const left = dropped.cleanUp.left.map((item) => `${item.what}: ${item.why}`);
  const note =
    dropped.status === 'refused'
      ? `${word}; the worktree is kept for ignored output: ${dropped.tooLarge.map((item) => item.path).join(', ')}`
      : left.length > 0
        ? `needs clean-up: ${left.join('; ')}`
        : `${word}; worktree removed`;
  const isKept = dropped.status === 'refused' || left.length > 0;
  return context.store.update(record.id, (present) => ({
    ...present,
    worktree: { ...tree, kept: isKept, note },
  }));
}

const WORDS: Partial<Record<JobRecord['review']['status'], string>> = {
  partly: 'accepted in part',
};

/** Undoes `putAway` and a reject: the same tree at the same place. Null for a job that has none. */
export async function bringBack(
  context: BridgeContext,
  job: JobRecord,
): Promise<{ tree: WorktreeRecord; missing: string[] } | null> {
  if (job.worktree === null) return null;
  const { root, branch, missing } = await restoreRejected({
    ...(await placeOf(context, job)),
    jobId: job.worktree.id,
  });
  return { tree: { ...job.worktree, root, branch, kept: true, note: 'restored' }, missing };
}
