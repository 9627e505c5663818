import { BridgeError } from '../../base/bridgeError.ts';
import type { JobRecord } from '../../protocol/job.ts';
import type { BridgeContext } from '../bridgeContext.ts';
import type { Caller } from '../bridgeTypes.ts';
import { selectChanges } from '../worktrees/acceptSelect.ts';
import { listChanges } from '../worktrees/changeList.ts';
import { WorktreeGit } from '../worktrees/worktreeGit.ts';
import { putAway } from './putAway.ts';
import { undoFilesInPlace } from './reviewInPlace.ts';
import { rejectFinishedJob } from './rejectFinishedJob.ts';
import { assertOpen, assertUnused, reviewableTree, reviewerOf } from './reviewRules.ts';
import { shareVerdict } from './shareVerdict.ts';
import { verdictOf } from './verdict.ts';

/**
 * Rejects single files, or takes that back. Nothing of the job is deleted: when every file has its word the tree is put away like
 * that of a rejected job. In the checkout itself the files are put back as they were before the job.
 */
export async function dropFiles(
  context: BridgeContext,
  job: JobRecord,
  caller: Caller,
  options: { readonly files: readonly string[]; readonly isTakenBack: boolean },
): Promise<JobRecord> {
  const tree = reviewableTree(job);
  assertOpen(job);
  if (job.isolation === 'none') {
    if (!options.isTakenBack) return undoFilesInPlace(context, job, tree, caller, options.files);
    throw new BridgeError('not_supported', 'The files were put back in the checkout itself.', {
      hint: `To have the job's version again: delegate undo ${job.id}`,
    });
  }
  assertUnused(context, job, tree);
  const git = new WorktreeGit(await context.git(), tree.root);
  const changed = await listChanges({ git, root: tree.root, base: tree.base });
  const { chosen, skipped } = selectChanges(changed, options.files);
  const paths = [...chosen, ...skipped].map((file) => file.path);
  const { files } = job.review;
  const taken = paths.filter((path) => files.includes(path));
  if (taken.length > 0 && !options.isTakenBack) {
    throw new BridgeError('wrong_state', `Accepted already: ${taken.join(', ')}.`, {
      hint: `Undo that accept first: delegate undo ${job.id}`,
      details: { files: taken },
    });
  }
  const dropped = options.isTakenBack
    ? job.review.dropped.filter((path) => !paths.includes(path))
    : [...job.review.dropped, ...paths];
  const { isDecided, ...verdict } = verdictOf(changed, files, dropped);
  if (verdict.status === 'rejected') return rejectFinishedJob(context, job, caller);
  // To take a word back decides nothing.
  const isOver = isDecided && !options.isTakenBack;
  const record = context.store.update(job.id, (present) => ({
    ...present,
    review: {
      ...verdict,
      ...(options.isTakenBack ? { status: files.length === 0 ? 'pending' : 'partly' } : {}),
      by: reviewerOf(caller),
      at: new Date().toISOString(),
    },
  }));
  return shareVerdict(context, isOver ? await putAway(context, record, tree) : record);
}
