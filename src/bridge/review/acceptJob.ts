import { BridgeError } from '../../base/bridgeError.ts';
import type { ChangedFile, JobRecord, WorktreeRecord } from '../../protocol/job.ts';
import type { BridgeContext } from '../bridgeContext.ts';
import type { AcceptOptions, AcceptOutcome, Caller } from '../bridgeTypes.ts';
import { matchingPaths } from '../gates/protectedPaths.ts';
import { jobDir } from '../jobs/jobPaths.ts';
import { acceptChanges } from '../worktrees/acceptChanges.ts';
import type { AcceptResult } from '../worktrees/acceptTypes.ts';
import { listChanges } from '../worktrees/changeList.ts';
import { WorktreeGit } from '../worktrees/worktreeGit.ts';
import { presentCoverage } from './presentCoverage.ts';
import { putAway } from './putAway.ts';
import { keepInPlace } from './reviewInPlace.ts';
import {
  assertMayAccept,
  DIRTY_PATHS_LIFETIME_MS,
  repoRootOf,
  reviewableTree,
  reviewerOf,
} from './reviewRules.ts';
import { shareVerdict } from './shareVerdict.ts';
import { verdictOf } from './verdict.ts';

/** Takes all or some of a job's changes into the checkout; the same code for the button, the command and the tool. */
export async function acceptJob(
  context: BridgeContext,
  job: JobRecord,
  caller: Caller,
  options: AcceptOptions,
): Promise<AcceptOutcome> {
  const tree = reviewableTree(job);
  if (job.isolation === 'none') return keepInPlace(context, job, caller, options);
  const repoRoot = repoRootOf(context, job.id);
  const config = context.loadConfig(repoRoot);
  const git = await context.git();
  const changed = await listChanges({
    git: new WorktreeGit(git, tree.root),
    root: tree.root,
    base: tree.base,
  });
  const files = options.files === undefined ? notDropped(job, changed) : changed;
  assertResolved(files, options);
  const chosen = options.files ?? files.map((file) => file.path);
  assertMayAccept(job, caller, options, matchingPaths(chosen, config.config.review.required_for));
  const result = await acceptChanges({
    git,
    stateDir: context.stateDir,
    repoRoot,
    root: tree.root,
    branch: tree.branch,
    base: tree.base,
    files,
    selection: options.files ?? 'all',
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
    resolved: options.resolved,
    allowedRoot: repoRoot,
  });
  if (result.status === 'refused' || result.status === 'dry-run') return { job, result };
  return { job: await record(context, { job, tree, caller, options, changed, result }), result };
}

async function record(
  context: BridgeContext,
  accepted: {
    job: JobRecord;
    tree: WorktreeRecord;
    caller: Caller;
    options: AcceptOptions;
    changed: readonly ChangedFile[];
    result: AcceptResult;
  },
): Promise<JobRecord> {
  const { job, tree, caller, options, changed, result } = accepted;
  // What an earlier part of the accept has merged stays unseen.
  const isMerged =
    result.coverage === 'merged' || (job.gate?.covers === 'merged' && job.review.files.length > 0);
  const covers = isMerged ? 'merged' : await presentCoverage(context, job, tree);
  const taken = [
    ...job.review.files,
    ...result.applied.map((file) => file.path),
    ...result.skipped.filter((file) => file.reason === 'same').map((file) => file.path),
  ];
  const { isDecided, ...verdict } = verdictOf(changed, taken, job.review.dropped);
  // A commit leaves its tree where it is, so a word that the review goes on would never end.
  const isCommitted = options.how === 'branch';
  const status = isDecided && isCommitted ? 'accepted' : verdict.status;
  const updated = context.store.update(job.id, (present) => ({
    ...present,
    gate: present.gate === null ? null : { ...present.gate, covers },
    review: { ...verdict, status, by: reviewerOf(caller), at: new Date().toISOString() },
  }));
  const isPutAway = isDecided && !isCommitted;
  return shareVerdict(context, isPutAway ? await putAway(context, updated, tree) : updated);
}

function notDropped(job: JobRecord, changed: readonly ChangedFile[]): readonly ChangedFile[] {
  const files = changed.filter((file) => !job.review.dropped.includes(file.path));
  if (files.length > 0 || changed.length === 0) return files;
  throw new BridgeError(
    'nothing_to_accept',
    `Every file of the job ${job.id} was rejected by itself.`,
    { hint: 'Name the files that you want all the same.' },
  );
}

function assertResolved(files: readonly ChangedFile[], options: AcceptOptions): void {
  const unknown = [...(options.resolved?.keys() ?? [])].filter(
    (path) => !files.some((file) => file.path === path),
  );
  if (unknown.length === 0) return;
  throw new BridgeError('bad_argument', `The job has not changed ${unknown.join(', ')}.`, {
    hint: 'A merged text belongs to a file of the change list.',
    details: { unknown },
  });
}
