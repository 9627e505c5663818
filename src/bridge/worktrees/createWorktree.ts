import { existsSync } from 'node:fs';
import { mkdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { BridgeError } from '../../base/bridgeError.ts';
import { addWorktree } from './addWorktree.ts';
import type { GitRunner } from './gitRunner.ts';
import { furnishWorktree, type CreatedWorktree } from './furnishWorktree.ts';
import type { IncludeSetting } from './includeFiles.ts';
import { removeWorktree } from './removeWorktree.ts';
import { findRepository, headCommit, type Repository } from './repository.ts';
import { pathHash, withRepositoryLock } from './repositoryLock.ts';
import { snapshotFolder, type FolderSnapshot } from './snapshot.ts';
import type { SubmodulePolicy } from './submodules.ts';
import { readMarker, writeMarker } from './worktreeMarker.ts';

export interface CreateWorktreeOptions {
  readonly git: GitRunner;
  /** Folder that the caller works in; the job gets the same place in the worktree. */
  readonly cwd: string;
  readonly jobId: string;
  /** Absolute, outside the repository. */
  readonly baseDir: string;
  readonly include: IncludeSetting;
  readonly submodules: SubmodulePolicy;
  /** `working-tree`: the user's tracked and untracked changes are part of the base. */
  readonly from: 'head' | 'working-tree';
  readonly stateDir: string;
  readonly signal?: AbortSignal | undefined;
}

const PASSED_ON: ReadonlySet<string> = new Set([
  'not_a_repository',
  'no_commits',
  'cancelled',
  'isolation_failed',
  'storage_full',
]);

/**
 * Makes the worktree of a job from the commit that HEAD names now. The user's checkout is only read. Whatever fails, nothing
 * is left: no directory, registration, branch or ref. Throws `not_a_repository`, `no_commits`, `cancelled`, and
 * `isolation_failed` for all else: there is no way back into the checkout.
 */
export async function createWorktree(options: CreateWorktreeOptions): Promise<CreatedWorktree> {
  const repository = await findRepository(options.git, options.cwd, options.signal);
  const head = await headCommit(options.git, repository.repoRoot, options.signal);
  const baseRef = baseRefOf(options.jobId);
  const place = await claimPlace(options, repository, head);
  try {
    const snapshot = options.from === 'head' ? null : await snapshotBase(options, baseRef);
    const base = snapshot?.commit ?? head;
    const created = await build(options, { repository, base, baseRef, ...place });
    const nested = (snapshot?.start.nested ?? []).map(
      (path) => `${path} is a repository of its own and not part of the job's tree.`,
    );
    return { ...created, warnings: [...created.warnings, ...nested] };
  } catch (error) {
    await rollBack(options, repository, { ...place, baseRef });
    throw asIsolationFailure(error);
  }
}

async function claimPlace(options: CreateWorktreeOptions, repository: Repository, head: string) {
  try {
    const place = await freePlace(options, repository);
    await writeMarker(place.root, {
      v: 1,
      job: options.jobId,
      repoRoot: repository.repoRoot,
      commonDir: repository.commonDir,
      gitDir: null,
      branch: place.branch,
      base: head,
      included: [],
    });
    return place;
  } catch (error) {
    throw asIsolationFailure(error);
  }
}

/** The ref that keeps a job's base from being collected. */
export function baseRefOf(jobId: string): string {
  return `refs/delegate/base/${jobId}`;
}

interface Plan {
  readonly repository: Repository;
  readonly base: string;
  readonly baseRef: string;
  readonly root: string;
  readonly branch: string;
}

async function build(options: CreateWorktreeOptions, plan: Plan): Promise<CreatedWorktree> {
  const { git, signal, stateDir } = options;
  const { commonDir } = plan.repository;
  await withRepositoryLock({ stateDir, commonDir, signal }, () =>
    addWorktree({ ...plan, git, commonDir, signal }),
  );
  return furnishWorktree({ ...options, ...plan });
}

/** A path and a branch that nothing uses yet. Job ids are random: only what an earlier start of the same job left is there. */
async function freePlace(
  options: CreateWorktreeOptions,
  repository: Repository,
): Promise<{ root: string; branch: string }> {
  const { git, jobId, signal } = options;
  await mkdir(options.baseDir, { recursive: true, mode: 0o700 });
  const baseDir = await realpath(options.baseDir);
  if (isInside(baseDir, repository.repoRoot) || isInside(baseDir, repository.commonDir)) {
    throw new BridgeError(
      'isolation_failed',
      `worktrees.base_dir (${baseDir}) is inside the repository.`,
      {
        hint: 'Set it to a folder outside of the repository, or to "auto".',
      },
    );
  }
  const name = repositoryName(repository)
    .replace(/[^\w.-]+/g, '_')
    .replace(/^\.+/, '_');
  const folder = join(baseDir, `${name}-${pathHash(repository.commonDir)}`);
  await mkdir(folder, { recursive: true });
  for (let at = 1; ; at++) {
    const id = at === 1 ? jobId : `${jobId}-${at}`;
    const root = join(folder, id);
    const branch = `delegate/${id}`;
    await removeHalfMade(options, repository, root);
    const { code } = await git.run(['show-ref', '--verify', '--quiet', `refs/heads/${branch}`], {
      cwd: repository.commonDir,
      readOnly: true,
      okCodes: [0, 1],
      signal,
    });
    if (code !== 0 && !existsSync(root)) return { root, branch };
  }
}

/** What a start of the same job left that ended before git had registered the worktree: ours, and of no use to anybody. */
async function removeHalfMade(
  options: CreateWorktreeOptions,
  repository: Repository,
  root: string,
): Promise<void> {
  const { git, stateDir, signal } = options;
  const { commonDir } = repository;
  const marker = await readMarker(root);
  if (marker?.job !== options.jobId || marker.gitDir !== null) return;
  const { branch } = marker;
  await withRepositoryLock({ stateDir, commonDir, signal }, () =>
    removeWorktree({ git, commonDir, root, branch }),
  );
  await mkdir(dirname(root), { recursive: true });
}

/** The checkout's folder name; for a linked worktree that of the repository it belongs to. */
function repositoryName(repository: Repository): string {
  const { commonDir, repoRoot } = repository;
  return basename(commonDir) === '.git' ? basename(dirname(commonDir)) : basename(repoRoot);
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}

async function snapshotBase(options: CreateWorktreeOptions, ref: string): Promise<FolderSnapshot> {
  const { git, cwd, signal } = options;
  const snapshot = await snapshotFolder({ git, cwd, ref, signal });
  if (!snapshot) throw new BridgeError('not_a_repository', `${cwd} is not in a git repository.`);
  return snapshot;
}

async function rollBack(
  options: CreateWorktreeOptions,
  repository: Repository,
  place: { root: string; branch: string; baseRef: string },
): Promise<void> {
  const { git, stateDir } = options;
  const { commonDir } = repository;
  // Without the caller's signal: what a cancelled job leaves has to go as well.
  await withRepositoryLock({ stateDir, commonDir }, () =>
    removeWorktree({
      git,
      commonDir,
      root: place.root,
      branch: place.branch,
      refs: [place.baseRef],
    }),
  );
}

function asIsolationFailure(error: unknown): BridgeError {
  const known = BridgeError.from(error);
  if (PASSED_ON.has(known.kind)) return known;
  if (error instanceof Error && error.name === 'AbortError') {
    return new BridgeError('cancelled', 'The job was cancelled while its worktree was made.', {
      cause: error,
    });
  }
  return new BridgeError('isolation_failed', `The worktree could not be made: ${known.message}`, {
    hint: known.hint,
    details: known.details,
    cause: error,
  });
}
