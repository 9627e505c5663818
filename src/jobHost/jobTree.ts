import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { BridgeError } from '../base/bridgeError.ts';
import type { ChangedFile, JobRecord, WorktreeRecord } from '../protocol/job.ts';
import type { EffectiveConfig } from '../config/schema.ts';
import type { BridgeContext } from '../bridge/bridgeContext.ts';
import { jobDir } from '../bridge/jobs/jobPaths.ts';
import { afterRefOf } from '../bridge/jobs/jobRefs.ts';
import type { StoredJob } from '../bridge/jobs/jobRow.ts';
import { listChanges, type TreeAgainstBase } from '../bridge/worktrees/changeList.ts';
import { baseRefOf, createWorktree } from '../bridge/worktrees/createWorktree.ts';
import { finishWorktree } from '../bridge/worktrees/finishWorktree.ts';
import type { GitRunner } from '../bridge/worktrees/gitRunner.ts';
import { recreateWorktree } from '../bridge/worktrees/recreateWorktree.ts';
import { snapshotFolder } from '../bridge/worktrees/snapshot.ts';
import { WorktreeGit } from '../bridge/worktrees/worktreeGit.ts';

/** Where a job works: a worktree of its own, or the caller's folder with a snapshot of it before and after. */
export interface JobTree {
  readonly runCwd: string;
  /** Null outside git. */
  readonly record: WorktreeRecord | null;
  readonly warnings: readonly string[];
  /** What the change list compares; null outside git. */
  readonly against: TreeAgainstBase | null;
  /** Everything that differs from the start; null outside git, where only the runner's word is known. */
  changes(): Promise<ChangedFile[] | null>;
  /** At the end: an unchanged worktree goes. `isShared`: another job uses it too. */
  finish(
    isShared: boolean,
  ): Promise<{ changes: ChangedFile[] | null; record: WorktreeRecord | null }>;
}

export interface TreeOptions {
  readonly context: BridgeContext;
  readonly job: StoredJob;
  readonly config: EffectiveConfig;
  readonly previous: JobRecord | null;
  readonly signal: AbortSignal;
}

/** Isolation asked for and not had is an error: there is no way back into the checkout. */
export async function prepareTree(options: TreeOptions): Promise<JobTree> {
  const git = await options.context.git();
  if (options.job.record.isolation === 'none') return inPlaceTree(options, git);
  const previous = options.previous?.worktree;
  return previous ? resumedTree(options, git, previous) : newTree(options, git);
}

async function newTree(options: TreeOptions, git: GitRunner): Promise<JobTree> {
  const { context, job, config } = options;
  const { base_dir: baseDir, include, submodules } = config.worktrees;
  const created = await createWorktree({
    git,
    cwd: job.record.cwd,
    jobId: job.record.id,
    baseDir: baseDir === 'auto' ? join(context.stateDir, 'worktrees') : baseDir,
    include: include === 'none' ? [] : include,
    submodules,
    from: job.spec.request.from ?? 'head',
    stateDir: context.stateDir,
    signal: options.signal,
  });
  const record: WorktreeRecord = {
    id: job.record.id,
    root: created.root,
    branch: created.branch,
    base: created.base,
    kept: true,
    note: null,
    setup: null,
    included: created.included,
  };
  const skipped = created.skippedIncludes.map(
    ({ path, reason }) => `${path} was not copied: ${reason}`,
  );
  return worktreeTree(context, git, record, {
    commonDir: created.commonDir,
    runCwd: created.runCwd,
    warnings: [...created.warnings, ...skipped],
  });
}

/** A resumed job goes on in the tree of the job before, made again at the same path when it was removed unchanged. */
async function resumedTree(
  options: TreeOptions,
  git: GitRunner,
  previous: WorktreeRecord,
): Promise<JobTree> {
  const { context, job, config } = options;
  const wasThere = existsSync(previous.root);
  const tree = await recreateWorktree({
    git,
    cwd: job.record.cwd,
    jobId: previous.id,
    root: previous.root,
    branch: previous.branch ?? `delegate/${previous.id}`,
    base: previous.base,
    include: config.worktrees.include === 'none' ? [] : config.worktrees.include,
    submodules: config.worktrees.submodules,
    stateDir: context.stateDir,
    signal: options.signal,
  });
  const warnings = wasThere
    ? tree.warnings
    : [
        ...tree.warnings,
        'The job before left its worktree unchanged and it was removed; it was made again from the same commit.',
      ];
  return worktreeTree(
    context,
    git,
    { ...previous, kept: true, note: null },
    {
      commonDir: tree.commonDir,
      runCwd: options.previous?.runCwd ?? tree.runCwd,
      warnings,
    },
  );
}

function worktreeTree(
  context: BridgeContext,
  git: GitRunner,
  record: WorktreeRecord,
  place: { commonDir: string; runCwd: string; warnings: readonly string[] },
): JobTree {
  const against = { git: new WorktreeGit(git, record.root), root: record.root, base: record.base };
  return {
    runCwd: place.runCwd,
    record,
    warnings: place.warnings,
    against,
    changes: () => listChanges(against),
    finish: async (isShared) => {
      if (isShared) {
        return { changes: await listChanges(against), record };
      }
      const finished = await finishWorktree({
        git,
        commonDir: place.commonDir,
        root: record.root,
        branch: record.branch ?? '',
        base: record.base,
        jobId: record.id,
        stateDir: context.stateDir,
      });
      const note = finished.kept ? finished.note : 'no changes; worktree removed';
      return { changes: finished.changes, record: { ...record, kept: finished.kept, note } };
    },
  };
}

async function inPlaceTree(options: TreeOptions, git: GitRunner): Promise<JobTree> {
  const { context, job, signal } = options;
  const { id, cwd } = job.record;
  const keepDir = jobDir(context.stateDir, id);
  const before = await snapshotFolder({ git, cwd, ref: baseRefOf(id), keepDir, signal });
  if (before === null) return outsideGit(cwd);
  const record: WorktreeRecord = {
    id,
    root: before.repoRoot,
    branch: null,
    base: before.commit,
    kept: true,
    note: 'worked in the checkout itself',
    setup: null,
    included: [],
  };
  const against = { git, root: before.repoRoot, base: before.commit, start: before.start };
  const changes = (): Promise<ChangedFile[]> => listChanges(against);
  return {
    runCwd: cwd,
    record,
    warnings: [],
    against,
    changes,
    finish: async () => {
      const changed = await changes();
      // The state after the job stays under a ref: what the user does next is not the job's.
      await snapshotFolder({ git, cwd, ref: afterRefOf(id) });
      return { changes: changed, record };
    },
  };
}

function outsideGit(cwd: string): JobTree {
  if (!existsSync(cwd)) throw new BridgeError('bad_argument', `The folder ${cwd} does not exist.`);
  return {
    runCwd: cwd,
    record: null,
    warnings: [
      'The folder is not in a git repository: the list of changed files is what the model said, and nothing can be undone.',
    ],
    against: null,
    changes: async () => null,
    finish: async () => ({ changes: null, record: null }),
  };
}
