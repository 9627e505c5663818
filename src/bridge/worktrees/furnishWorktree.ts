import { existsSync } from 'node:fs';
import { mkdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BridgeError } from '../../base/bridgeError.ts';
import type { GitRunner } from './gitRunner.ts';
import { includeFiles, type IncludeSetting } from './includeFiles.ts';
import { countLfsFiles } from './lfs.ts';
import type { Repository } from './repository.ts';
import { copyIndex } from './scratchIndex.ts';
import { initSubmodules, type SubmodulePolicy } from './submodules.ts';
import { WorktreeGit } from './worktreeGit.ts';
import { startIndexPath, writeMarker } from './worktreeMarker.ts';

export interface CreatedWorktree {
  readonly repoRoot: string;
  readonly commonDir: string;
  /** Git directory of the worktree; its last part is the name for `restoreRepository`. */
  readonly gitDir: string;
  readonly root: string;
  readonly branch: string;
  /** Commit that the job starts from. */
  readonly base: string;
  /** Where the runner starts: the caller's folder, in the worktree. */
  readonly runCwd: string;
  readonly included: string[];
  readonly skippedIncludes: { readonly path: string; readonly reason: string }[];
  readonly warnings: string[];
}

export interface FurnishOptions {
  readonly git: GitRunner;
  readonly repository: Repository;
  readonly jobId: string;
  readonly root: string;
  readonly branch: string;
  readonly base: string;
  readonly include: IncludeSetting;
  readonly submodules: SubmodulePolicy;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Makes a worktree that git has just registered ready for a job: checks that it equals its base, keeps the index that
 * change lists start from, copies included files, checks out submodules, writes the marker.
 */
export async function furnishWorktree(options: FurnishOptions): Promise<CreatedWorktree> {
  const { git, root, branch, base, signal } = options;
  const { repoRoot, commonDir, prefix } = options.repository;
  const tree = new WorktreeGit(git, root);
  await assertEqualsBase(tree, signal);
  const gitDir = await realpath(
    await tree.text(['rev-parse', '--path-format=absolute', '--git-dir'], {
      readOnly: true,
      signal,
    }),
  );
  await copyIndex(join(gitDir, 'index'), startIndexPath(root));
  const { include } = options;
  const scratchDir = dirname(root);
  const files = await includeFiles({ git, repoRoot, root, include, scratchDir, signal });
  const warnings = await initSubmodules({
    git: tree,
    commonDir,
    policy: options.submodules,
    signal,
  });
  if (git.lfsMissing) warnings.push(...(await lfsWarning(git, root, signal)));
  const runCwd = join(root, prefix);
  if (!existsSync(runCwd)) {
    await mkdir(runCwd, { recursive: true });
    warnings.push(
      `${prefix} is not in the commit, so the job starts in an empty folder of that name.`,
    );
  }
  const { included, skipped: skippedIncludes } = files;
  const job = options.jobId;
  await writeMarker(root, { v: 1, job, repoRoot, commonDir, gitDir, branch, base, included });
  return {
    repoRoot,
    commonDir,
    gitDir,
    root,
    branch,
    base,
    runCwd,
    included: included.map((file) => file.path),
    skippedIncludes,
    warnings,
  };
}

/** A tree that differs from its base at the start would give the job changes that it did not make. */
async function assertEqualsBase(tree: WorktreeGit, signal?: AbortSignal): Promise<void> {
  const { stdout } = await tree.run(['status', '--porcelain', '-z', '--untracked-files=all'], {
    readOnly: true,
    signal,
  });
  const differing = stdout
    .toString('utf8')
    .split('\0')
    .filter((entry) => entry !== '');
  if (differing.length === 0) return;
  throw new BridgeError(
    'isolation_failed',
    `The new worktree differs from its commit in ${differing.length} files, first ${differing[0]?.slice(3)}.`,
    {
      hint: 'This happens when files are not stored as .gitattributes says: run "git add --renormalize ." and commit.',
    },
  );
}

async function lfsWarning(git: GitRunner, root: string, signal?: AbortSignal): Promise<string[]> {
  const count = await countLfsFiles(git, root, signal);
  return count === 0
    ? []
    : [`git-lfs is not installed: ${count} LFS files are pointers in the worktree.`];
}
