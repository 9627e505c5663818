import type { JobRecord } from '../../protocol/job.ts';
import type { BridgeContext } from '../bridgeContext.ts';
import { isFinal } from '../jobs/status.ts';

/**
 * A resumed job goes on in the tree of the job before, so both have one result: what is said of the tree of one is said of all
 * that ended in it.
 */
export function shareVerdict(context: BridgeContext, record: JobRecord): JobRecord {
  const tree = record.worktree;
  if (tree === null) return record;
  for (const { record: other } of context.store.withWorktree(tree.id)) {
    const isSame =
      other.id !== record.id && isFinal(other.status) && other.review.status !== 'none';
    if (!isSame) continue;
    context.store.update(other.id, (present) => ({
      ...present,
      worktree: tree,
      review: record.review,
    }));
  }
  return record;
}
