import { BridgeError } from '../base/bridgeError.ts';
import type { JobRecord, WorktreeRecord } from '../protocol/job.ts';
import type { BridgeContext } from './bridgeContext.ts';
import type { AcceptOutcome, Caller } from './bridgeTypes.ts';
import { afterRefOf } from './jobs/jobRefs.ts';
import { DIRTY_PATHS_LIFETIME_MS, placeOf, reviewerOf } from './reviewRules.ts';
import type { AcceptResult } from './worktrees/acceptTypes.ts';
import { undoInPlace } from './worktrees/undoInPlace.ts';

/** Accept of a job that worked in the checkout itself: everything is there already, the word is recorded. */
export function keepInPlace(context: BridgeContext, job: JobRecord, caller: Caller): AcceptOutcome {
  const files = job.filesChanged.map((file) => file.path);
  const record = context.store.update(job.id, (present) => ({
    ...present,
    review: {
      ...present.review,
      status: 'accepted',
      by: reviewerOf(caller),
      at: new Date().toISOString(),
      files,
    },
  }));
  const result: AcceptResult = {
    status: 'nothing',
    applied: [],
    conflicts: [],
    skipped: files.map((path) => ({ path, reason: 'same' })),
    undoRef: null,
    commit: null,
    coverage: 'exact',
  };
  return { job: record, result };
}

/** A job in the checkout itself is taken back there: file by file, and never over what the user changed since. */
export async function undoWholeFolder(
  context: BridgeContext,
  job: JobRecord,
  tree: WorktreeRecord,
  caller: Caller,
): Promise<JobRecord> {
  const git = await context.git();
  const { jobId, ...place } = { ...(await placeOf(context, job)), jobId: job.id };
  const after = await git.text(['rev-parse', '--verify', `${afterRefOf(job.id)}^{commit}`], {
    cwd: tree.root,
    readOnly: true,
  });
  const result = await undoInPlace({
    ...place,
    jobId,
    before: tree.base,
    after,
    files: job.filesChanged,
    selection: 'all',
    dirtyPaths: context.store.dirtyPaths(Date.now() - DIRTY_PATHS_LIFETIME_MS),
    skipConflicts: false,
    dryRun: false,
    allowedRoot: place.repoRoot,
  });
  if (result.status === 'refused') {
    const files = result.conflicts.map((conflict) => conflict.path);
    throw new BridgeError(
      'conflict',
      `These files were changed since the job: ${files.join(', ')}.`,
      {
        hint: `Nothing was taken back. The state before the job is the commit ${tree.base}.`,
        details: { files },
      },
    );
  }
  return context.store.update(job.id, (present) => ({
    ...present,
    worktree: { ...tree, note: 'taken back in the checkout' },
    review: {
      ...present.review,
      status: 'rejected',
      by: reviewerOf(caller),
      at: new Date().toISOString(),
    },
  }));
}
