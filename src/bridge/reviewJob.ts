import { BridgeError } from '../base/bridgeError.ts';
import type { JobRecord, WorktreeRecord } from '../protocol/job.ts';
import type { BridgeContext } from './bridgeContext.ts';
import type { AcceptOptions, AcceptOutcome, Caller } from './bridgeTypes.ts';
import { matchingPaths } from './gates/protectedPaths.ts';
import { jobDir } from './jobs/jobPaths.ts';
import { isFinal } from './jobs/status.ts';
import { keepInPlace, undoWholeFolder } from './reviewInPlace.ts';
import { shareVerdict } from './shareVerdict.ts';
import {
  assertMayAccept,
  assertUnused,
  DIRTY_PATHS_LIFETIME_MS,
  placeOf,
  repoRootOf,
  reviewableTree,
  reviewerOf,
  stillRunning,
  treeOf,
} from './reviewRules.ts';
import { acceptChanges } from './worktrees/acceptChanges.ts';
import type { AcceptResult } from './worktrees/acceptTypes.ts';
import { listChanges } from './worktrees/changeList.ts';
import { rejectJob as dropWorktree } from './worktrees/rejectJob.ts';
import { restoreRejected } from './worktrees/restoreRejected.ts';
import { undoAccept as undoWrites } from './worktrees/undoAccept.ts';
import { treeHash } from './worktrees/treeHash.ts';
import { gateTreeFactKey } from './gates/gateTree.ts';
import { WorktreeGit } from './worktrees/worktreeGit.ts';

/** Takes all or some of a job's changes into the checkout; the same code for the button, the command and the tool. */
export async function acceptJob(
  context: BridgeContext,
  job: JobRecord,
  caller: Caller,
  options: AcceptOptions,
): Promise<AcceptOutcome> {
  const tree = reviewableTree(job);
  if (job.isolation === 'none') return keepInPlace(context, job, caller);
  const repoRoot = repoRootOf(context, job.id);
  const config = context.loadConfig(repoRoot);
  const git = await context.git();
  const files = await listChanges({
    git: new WorktreeGit(git, tree.root),
    root: tree.root,
    base: tree.base,
  });
  const selection = options.files ?? 'all';
  const chosen = selection === 'all' ? files.map((file) => file.path) : selection;
  assertMayAccept(job, caller, options, matchingPaths(chosen, config.config.review.required_for));
  const result = await acceptChanges({
    git,
    stateDir: context.stateDir,
    repoRoot,
    root: tree.root,
    branch: tree.branch,
    base: tree.base,
    files,
    selection,
    jobDir: jobDir(context.stateDir, job.id),
    jobId: job.id,
    dirtyPaths: context.store.dirtyPaths(Date.now() - DIRTY_PATHS_LIFETIME_MS),
    skipConflicts: options.skipConflicts ?? false,
    dryRun: options.dryRun ?? false,
    how: options.how ?? 'working-tree',
    provenance: {
      by: reviewerOf(caller),
      model: job.modelServed,
      endpoint: job.endpoint,
      job: job.id,
      gate: job.gate === null ? null : `${job.gate.name} ${job.gate.status}`,
    },
    allowedRoot: repoRoot,
  });
  if (result.status === 'refused' || result.status === 'dry-run') return { job, result };
  const taken = new Set([
    ...job.review.files,
    ...result.applied.map((file) => file.path),
    ...sameFiles(result),
  ]);
  const isWhole = files.every(
    (file) => taken.has(file.path) || file.change === 'ignored' || file.change === 'nested',
  );
  const covers = await coverageOf(context, job, tree, result);
  let record = context.store.update(job.id, (present) => ({
    ...present,
    gate: present.gate === null ? null : { ...present.gate, covers },
    review: {
      ...present.review,
      status: isWhole ? 'accepted' : 'partly',
      by: reviewerOf(caller),
      at: new Date().toISOString(),
      files: [...taken],
    },
  }));
  if (isWhole && options.how !== 'branch') {
    record = shareVerdict(context, await putAway(context, record, tree));
  }
  return { job: record, result };
}

/** Whether the gate saw what was taken: not after a merge, and not after the tree was edited since it ran. */
async function coverageOf(
  context: BridgeContext,
  job: JobRecord,
  tree: WorktreeRecord,
  result: AcceptResult,
): Promise<'exact' | 'edited' | 'merged'> {
  if (result.coverage === 'merged') return 'merged';
  const judged = context.store.fact(gateTreeFactKey(job.id))?.value;
  if (judged === undefined) return 'exact';
  const git = new WorktreeGit(await context.git(), tree.root);
  const present = await treeHash({ git, root: tree.root, base: tree.base });
  return present.tree === judged ? 'exact' : 'edited';
}

export async function undoAcceptedJob(
  context: BridgeContext,
  job: JobRecord,
  caller: Caller,
): Promise<AcceptOutcome> {
  const isTakenBack = job.isolation === 'none' && job.review.status === 'rejected';
  if (job.review.status !== 'accepted' && job.review.status !== 'partly' && !isTakenBack) {
    throw new BridgeError('wrong_state', `Nothing of the job ${job.id} has been accepted.`, {
      hint: 'There is nothing to undo.',
    });
  }
  const git = await context.git();
  const repoRoot = repoRootOf(context, job.id);
  const undone = await undoWrites({
    git,
    stateDir: context.stateDir,
    repoRoot,
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
  const left = job.review.files.filter((path) => !undone.restored.includes(path));
  const tree = job.worktree?.kept === false ? await bringBack(context, job) : job.worktree;
  const record = context.store.update(job.id, (present) => ({
    ...present,
    worktree: tree,
    review: {
      ...present.review,
      status: left.length === 0 ? 'pending' : 'partly',
      by: reviewerOf(caller),
      at: new Date().toISOString(),
      files: left,
    },
  }));
  return { job: shareVerdict(context, record), result };
}

export async function rejectFinishedJob(
  context: BridgeContext,
  job: JobRecord,
  caller: Caller,
): Promise<JobRecord> {
  const tree = reviewableTree(job);
  if (job.isolation === 'none') return undoWholeFolder(context, job, tree, caller);
  assertUnused(context, job, tree);
  const dropped = await dropWorktree({
    ...(await placeOf(context, job)),
    ...treeOf(tree),
    tooLarge: 'refuse',
  });
  if (dropped.status === 'refused') {
    throw new BridgeError(
      'storage_full',
      `Some ignored output is too large to keep: ${dropped.tooLarge.map((item) => item.path).join(', ')}.`,
      {
        hint: 'Move it out of the worktree or delete it there, then reject again.',
      },
    );
  }
  const left = dropped.cleanUp.left.map((item) => `${item.what}: ${item.why}`);
  const record = context.store.update(job.id, (present) => ({
    ...present,
    worktree: {
      ...tree,
      kept: left.length > 0,
      note: left.length > 0 ? `needs clean-up: ${left.join('; ')}` : 'rejected',
    },
    review: {
      ...present.review,
      status: 'rejected',
      by: reviewerOf(caller),
      at: new Date().toISOString(),
    },
  }));
  return shareVerdict(context, record);
}

export async function restoreRejectedJob(
  context: BridgeContext,
  job: JobRecord,
  caller: Caller,
): Promise<JobRecord> {
  if (job.isolation === 'none') {
    throw new BridgeError(
      'not_supported',
      'The job worked in the checkout itself; what was taken back there is under "delegate undo".',
      {
        hint: `Run "delegate undo ${job.id}".`,
      },
    );
  }
  if (job.review.status !== 'rejected' || job.worktree === null) {
    throw new BridgeError('wrong_state', `The job ${job.id} has not been rejected.`, {
      hint: 'There is nothing to restore.',
    });
  }
  const restored = await restoreRejected({
    ...(await placeOf(context, job)),
    jobId: job.worktree.id,
  });
  const record = context.store.update(job.id, (present) => ({
    ...present,
    worktree:
      present.worktree === null
        ? null
        : {
            ...present.worktree,
            root: restored.root,
            branch: restored.branch,
            kept: true,
            note: 'restored',
          },
    review: {
      status: 'pending',
      by: reviewerOf(caller),
      at: new Date().toISOString(),
      files: [],
      dropped: [],
    },
    warnings: [
      ...present.warnings,
      ...restored.missing.map((path) => `${path} could not be copied again.`),
    ],
  }));
  return shareVerdict(context, record);
}

export function abandonJob(context: BridgeContext, job: JobRecord, caller: Caller): JobRecord {
  if (!isFinal(job.status)) throw stillRunning(job);
  if (job.review.status !== 'pending') {
    const state =
      job.review.status === 'none' ? 'has nothing to review' : `is ${job.review.status} already`;
    throw new BridgeError('wrong_state', `The job ${job.id} ${state}.`, {
      hint: 'Only a result that nobody has decided about can be abandoned.',
    });
  }
  return context.store.update(job.id, (present) => ({
    ...present,
    review: {
      ...present.review,
      status: 'abandoned',
      by: reviewerOf(caller),
      at: new Date().toISOString(),
    },
  }));
}

/**
 * The tree of a job that was taken whole goes, kept under a ref like that of a rejected one: an undo brings it back. One that cannot
 * be kept (too large), or is in use by another job, stays.
 */
async function putAway(
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
  const left = dropped.cleanUp.left.map((item) => `${item.what}: ${item.why}`);
  const note =
    dropped.status === 'refused'
      ? `accepted; the worktree is kept for ignored output: ${dropped.tooLarge.map((item) => item.path).join(', ')}`
      : left.length > 0
        ? `needs clean-up: ${left.join('; ')}`
        : 'accepted; worktree removed';
  const isKept = dropped.status === 'refused' || left.length > 0;
  return context.store.update(record.id, (present) => ({
    ...present,
    worktree: { ...tree, kept: isKept, note },
  }));
}

async function bringBack(context: BridgeContext, job: JobRecord): Promise<WorktreeRecord | null> {
  if (job.worktree === null) return null;
  const restored = await restoreRejected({
    ...(await placeOf(context, job)),
    jobId: job.worktree.id,
  });
  return {
    ...job.worktree,
    root: restored.root,
    branch: restored.branch,
    kept: true,
    note: 'restored',
  };
}

function sameFiles(result: AcceptResult): string[] {
  return result.skipped.filter((file) => file.reason === 'same').map((file) => file.path);
}
