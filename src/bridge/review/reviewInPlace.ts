import { BridgeError } from '../../base/bridgeError.ts';
import type { JobRecord, WorktreeRecord } from '../../protocol/job.ts';
import type { BridgeContext } from '../bridgeContext.ts';
import type { AcceptOptions, AcceptOutcome, Caller } from '../bridgeTypes.ts';
import { afterRefOf } from '../jobs/jobRefs.ts';
import { selectChanges } from '../worktrees/acceptSelect.ts';
import type { AcceptResult } from '../worktrees/acceptTypes.ts';
import { undoInPlace } from '../worktrees/undoInPlace.ts';
import { DIRTY_PATHS_LIFETIME_MS, placeOf, reviewerOf } from './reviewRules.ts';
import { type Verdict, verdictOf } from './verdict.ts';

/** Accept of a job that worked in the checkout itself: everything is there already, the word is recorded. */
export function keepInPlace(
  context: BridgeContext,
  job: JobRecord,
  caller: Caller,
  options: AcceptOptions,
): AcceptOutcome {
  const { dropped } = job.review;
  const offered = job.filesChanged.filter(
    (file) => options.files !== undefined || !dropped.includes(file.path),
  );
  const kept = pathsOf(offered, options.files ?? 'all');
  const result: AcceptResult = {
    status: options.dryRun === true ? 'dry-run' : 'nothing',
    applied: [],
    conflicts: [],
    skipped: kept.map((path) => ({ path, reason: 'same' })),
    undoRef: null,
    commit: null,
    coverage: 'exact',
  };
  if (options.dryRun === true) return { job, result };
  const again = kept.find((path) => dropped.includes(path));
  if (again !== undefined) {
    throw new BridgeError('wrong_state', `${again} was taken back in the checkout.`, {
      hint: `To have it again: delegate undo ${job.id}`,
    });
  }
  const record = recordVerdict(context, job, caller, [...job.review.files, ...kept], dropped);
  return { job: record, result };
}

/** A job in the checkout itself is taken back there: file by file, and never over what the user changed since. */
export async function undoWholeFolder(
  context: BridgeContext,
  job: JobRecord,
  tree: WorktreeRecord,
  caller: Caller,
): Promise<JobRecord> {
  await takeBack(context, job, tree, 'all');
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

/** Takes single files back in the checkout. */
export async function undoFilesInPlace(
  context: BridgeContext,
  job: JobRecord,
  tree: WorktreeRecord,
  caller: Caller,
  files: readonly string[],
): Promise<JobRecord> {
  const paths = pathsOf(job.filesChanged, files);
  await takeBack(context, job, tree, paths);
  const taken = job.review.files.filter((path) => !paths.includes(path));
  return recordVerdict(context, job, caller, taken, [...job.review.dropped, ...paths]);
}

/** The review of such a job goes on, and says nothing of the whole, until every file has its word. */
function recordVerdict(
  context: BridgeContext,
  job: JobRecord,
  caller: Caller,
  taken: readonly string[],
  dropped: readonly string[],
): JobRecord {
  const { isDecided, ...verdict }: Verdict = verdictOf(job.filesChanged, taken, dropped);
  return context.store.update(job.id, (present) => ({
    ...present,
    review: {
      ...verdict,
      status: isDecided ? verdict.status : 'pending',
      by: reviewerOf(caller),
      at: new Date().toISOString(),
    },
  }));
}

async function takeBack(
  context: BridgeContext,
  job: JobRecord,
  tree: WorktreeRecord,
  selection: readonly string[] | 'all',
): Promise<void> {
  const git = await context.git();
  const place = await placeOf(context, job);
  const after = await git.text(['rev-parse', '--verify', `${afterRefOf(job.id)}^{commit}`], {
    cwd: tree.root,
    readOnly: true,
  });
  const result = await undoInPlace({
    ...place,
    jobId: job.id,
    before: tree.base,
    after,
    files: job.filesChanged,
    selection,
    dirtyPaths: context.store.dirtyPaths(Date.now() - DIRTY_PATHS_LIFETIME_MS),
    skipConflicts: false,
    dryRun: false,
    allowedRoot: place.repoRoot,
  });
  if (result.status !== 'refused') return;
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

function pathsOf(
  changed: JobRecord['filesChanged'],
  selection: readonly string[] | 'all',
): string[] {
  if (selection === 'all') return changed.map((file) => file.path);
  const { chosen, skipped } = selectChanges(changed, selection);
  return [...chosen, ...skipped].map((file) => file.path);
}
