import { lstat, readFile, readdir, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { BridgeError } from '../../base/bridgeError.ts';
import { isFileError, isThere, removeDirectory, type NotRemoved } from './cleanUpDirectory.ts';
import { listWorktrees, realpathIfThere, refExists } from './cleanUpState.ts';
import type { Git } from './gitRunner.ts';
import { withRepositoryLock } from './repositoryLock.ts';
import { readMarker, removeMarker } from './worktreeMarker.ts';

export interface CleanUpOptions {
  readonly git: Git;
  /** Common git directory of the repository; it may be gone. */
  readonly commonDir: string;
  readonly root: string;
  /** Short name; null = keep it, or there is none. Only branches under `delegate/` are ever deleted. */
  readonly branch: string | null;
  /** Further refs to delete, full names under `refs/delegate/`. */
  readonly refs?: readonly string[] | undefined;
}

export interface CleanUpResult {
  /** What was there and is gone now. */
  readonly removed: string[];
  /** What is still there, each with the reason; to be kept listed until a later call gets it. */
  readonly left: NotRemoved[];
}

/**
 * Removes directory, registration and branch of a worktree from any mixture of what is left, and can be repeated at any
 * time: what is there afterwards decides, not what the commands said. Throws only for paths that cannot be a worktree.
 */
export async function cleanUpWorktree(
  options: CleanUpOptions & {
    readonly stateDir: string;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<CleanUpResult> {
  const { stateDir, commonDir, signal } = options;
  return await withRepositoryLock(
    { stateDir, commonDir, signal },
    async () => await cleanUpLocked(options),
  );
}

/** The same for a caller that holds the repository's lock. */
export async function cleanUpLocked(options: CleanUpOptions): Promise<CleanUpResult> {
  const { git, commonDir } = options;
  const root = await canonical(options.root);
  if (!isAbsolute(options.root) || `${commonDir}${sep}`.startsWith(`${root}${sep}`)) {
    throw new BridgeError('internal', `${options.root} cannot be the worktree of a job.`);
  }
  const hasRepository = await isThere(join(commonDir, 'HEAD'));
  const isRegistered = async () =>
    hasRepository &&
    (await listWorktrees(git, commonDir)).slice(1).some((worktree) => worktree.path === root);
  const refs = refsOf(options);
  const wasThere = await isThere(root);
  const wasRegistered = await isRegistered();
  const hadRefs: string[] = [];
  if (hasRepository)
    for (const ref of refs) if (await refExists(git, commonDir, ref)) hadRefs.push(ref);

  if (wasThere && !wasRegistered && !(await isOurs(root))) {
    return {
      removed: [],
      left: [{ what: root, why: 'it is a repository of its own, not the worktree of this job' }],
    };
  }
  const left = await removeDirectory(root);
  if (wasRegistered) await unregister(git, commonDir, root, isRegistered);
  for (const ref of hadRefs) left.push(...(await removeRef(git, commonDir, ref)));

  const removed: string[] = [];
  if (wasThere && !(await isThere(root))) removed.push(root);
  if (wasRegistered) {
    if (await isRegistered())
      left.push({ what: `registration of ${root}`, why: 'git still lists it' });
    else removed.push(`registration of ${root}`);
  }
  for (const ref of hadRefs) if (!(await refExists(git, commonDir, ref))) removed.push(ref);
  if (left.length === 0) {
    await removeMarker(root);
    await removeIfEmpty(dirname(root));
  }
  return { removed, left };
}

function refsOf(options: CleanUpOptions): string[] {
  const branch = options.branch === null ? [] : [`refs/heads/${options.branch}`];
  const refs = [...branch, ...(options.refs ?? [])];
  const foreign = refs.find((ref) => !/^refs\/(heads\/)?delegate\//.test(ref));
  if (foreign === undefined) return refs;
  throw new BridgeError(
    'internal',
    `${foreign} is no ref of Delegation Bridge and is not deleted.`,
  );
}

/** The worktree's own folder is not resolved: a link in its place must never be followed. */
async function canonical(root: string): Promise<string> {
  return join(await realpathIfThere(dirname(root)), basename(root));
}

/** A marker beside it, or at least no git directory in it: what a job left of its worktree, never somebody's repository. */
async function isOurs(root: string): Promise<boolean> {
  if ((await readMarker(root)) !== null) return true;
  try {
    return !(await lstat(join(root, '.git'))).isDirectory();
  } catch (error) {
    if (isFileError(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return true;
    throw error;
  }
}

/** `worktree prune` would forget every worktree that is not mounted just now, the user's own included: one by name only. */
async function unregister(
  git: Git,
  commonDir: string,
  root: string,
  isRegistered: () => Promise<boolean>,
): Promise<void> {
  await git.run(['worktree', 'remove', '--force', '--force', '--', root], {
    cwd: commonDir,
    okCodes: [0, 1, 128, 255],
  });
  if (!(await isRegistered())) return;
  const admin = join(commonDir, 'worktrees');
  for (const name of await readdir(admin)) {
    const gitdir = join(admin, name, 'gitdir');
    if (!(await isThere(gitdir))) continue;
    const path = (await readFile(gitdir, 'utf8')).trim();
    if (dirname(path) === root) await rm(join(admin, name), { recursive: true, force: true });
  }
}

async function removeRef(git: Git, commonDir: string, ref: string): Promise<NotRemoved[]> {
  const holder = (await listWorktrees(git, commonDir)).find((worktree) => worktree.branch === ref);
  if (holder !== undefined) return [{ what: ref, why: `it is checked out in ${holder.path}` }];
  try {
    // Not `branch -D`: that rewrites the config file that the user's checkout shares.
    await git.run(['update-ref', '-d', ref], { cwd: commonDir });
    return [];
  } catch (error) {
    if (!BridgeError.is(error, 'git_failed')) throw error;
    return [{ what: ref, why: error.message }];
  }
}

async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (
      !isFileError(error) ||
      !['ENOTEMPTY', 'EEXIST', 'ENOENT', 'EBUSY', 'EPERM'].includes(error.code ?? '')
    )
      throw error;
  }
}
