import { mkdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BridgeError } from '../../base/bridgeError.ts';
import { addWorktree } from './addWorktree.ts';
import { cleanUpLocked } from './cleanUp.ts';
import { isThere } from './cleanUpDirectory.ts';
import { refExists } from './cleanUpState.ts';
import { baseRefOf } from './createWorktree.ts';
import type { Git } from './gitRunner.ts';
import { objectFormatOf, readPresent } from './journalState.ts';
import { copyTree } from './rejectKeep.ts';
import { readRejectNote, rejectedDir, rejectedRef, type RejectNote } from './rejectNote.ts';
import { restoreFile } from './restoreFile.ts';
import { findRepository } from './repository.ts';
import { withRepositoryLock } from './repositoryLock.ts';
import { copyIndex } from './scratchIndex.ts';
import { startIndexPath, writeMarker, type WorktreeMarker } from './worktreeMarker.ts';

export interface RestoreOptions {
  readonly git: Git;
  readonly stateDir: string;
  readonly repoRoot: string;
  readonly jobDir: string;
  readonly jobId: string;
  readonly signal?: AbortSignal | undefined;
}

export interface RestoreResult {
  readonly root: string;
  readonly branch: string;
  readonly base: string;
  /** Copied-in files that the user's checkout no longer has. */
  readonly missing: string[];
}

/**
 * Brings a rejected job back at the same path: branch, worktree, its files byte for byte, ignored output and nested
 * repositories. Throws `wrong_state` when nothing is kept or the place is taken; then what is kept stays kept.
 */
export async function restoreRejected(options: RestoreOptions): Promise<RestoreResult> {
  const { git, jobDir, jobId, signal, stateDir } = options;
  const { commonDir, repoRoot } = await findRepository(git, options.repoRoot, signal);
  return await withRepositoryLock({ stateDir, commonDir, signal }, async () => {
    const note = await readRejectNote(jobDir);
    const ref = rejectedRef(jobId);
    if (!(await refExists(git, commonDir, ref))) {
      throw new BridgeError(
        'wrong_state',
        `${ref} is gone, and with it the files of job ${jobId}.`,
        {
          hint: 'Rejected work is kept for worktrees.keep_rejected_days.',
        },
      );
    }
    await clearEarlierAttempt({ git, commonDir, note, jobDir });
    await writeFile(attemptPath(jobDir), '', { mode: 0o600 });
    try {
      const missing = await rebuild({ git, commonDir, repoRoot, jobId, jobDir, note, ref, signal });
      await rm(attemptPath(jobDir), { force: true });
      await git.run(['update-ref', '-d', ref], { cwd: commonDir });
      await rm(rejectedDir(jobDir), { recursive: true, force: true });
      return { root: note.root, branch: note.branch, base: note.base, missing };
    } catch (error) {
      await cleanUpLocked({ git, commonDir, root: note.root, branch: note.branch });
      await rm(attemptPath(jobDir), { force: true });
      throw BridgeError.from(error);
    }
  });
}

/** Marks that what lies at the worktree's path is the bridge's own half-made restore and may be removed. */
function attemptPath(jobDir: string): string {
  return join(jobDir, 'restore-attempt');
}

async function clearEarlierAttempt(options: {
  git: Git;
  commonDir: string;
  note: RejectNote;
  jobDir: string;
}): Promise<void> {
  const { git, commonDir, note } = options;
  if (await isThere(attemptPath(options.jobDir))) {
    await cleanUpLocked({ git, commonDir, root: note.root, branch: note.branch });
  }
  const hasBranch = await refExists(git, commonDir, `refs/heads/${note.branch}`);
  if (!hasBranch && !(await isThere(note.root))) return;
  const what = hasBranch ? `The branch ${note.branch}` : note.root;
  throw new BridgeError(
    'wrong_state',
    `${what} exists already, so the job cannot be restored there.`,
    {
      hint: 'Move it away, then restore again; the rejected work stays kept.',
    },
  );
}

async function rebuild(options: {
  git: Git;
  commonDir: string;
  repoRoot: string;
  jobId: string;
  jobDir: string;
  note: RejectNote;
  ref: string;
  signal: AbortSignal | undefined;
}): Promise<string[]> {
  const { git, commonDir, repoRoot, jobId, note, signal } = options;
  const { root, branch, base } = note;
  await mkdir(dirname(root), { recursive: true, mode: 0o700 });
  await addWorktree({ git, commonDir, root, branch, base, baseRef: baseRefOf(jobId), signal });
  const here = { cwd: await realpath(root), signal };
  const gitDir = await realpath(
    await git.text(['rev-parse', '--path-format=absolute', '--git-dir'], here),
  );
  await copyIndex(join(gitDir, 'index'), startIndexPath(root));
  // The files of the kept commit, then branch and index as they were, so that the changes show as changes again.
  await git.run(['read-tree', '-u', '--reset', options.ref], here);
  await git.run(['update-ref', `refs/heads/${branch}`, note.tip], here);
  if (note.head !== note.tip) await git.run(['update-ref', '--no-deref', 'HEAD', note.head], here);
  await git.run(['read-tree', note.head], here);
  for (const { path, ...state } of note.files)
    await restoreFile({ git, root, path, state, signal });
  for (const path of note.copied) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await copyTree(join(rejectedDir(options.jobDir), 'files', path), join(root, path));
  }
  const { included, missing } = await includeAgain(repoRoot, note);
  await writeMarker(root, {
    v: 1,
    job: jobId,
    repoRoot,
    commonDir,
    gitDir,
    branch,
    base,
    included,
  });
  return missing;
}

async function includeAgain(
  repoRoot: string,
  note: RejectNote,
): Promise<{ included: WorktreeMarker['included']; missing: string[] }> {
  const included: WorktreeMarker['included'] = [];
  const missing: string[] = [];
  for (const path of note.included) {
    const present = await readPresent(repoRoot, path, { format: objectFormatOf(note.base) });
    const target = join(note.root, path);
    if (present.kind !== 'file' || (await isThere(target))) {
      if (present.kind !== 'file') missing.push(path);
      continue;
    }
    await mkdir(dirname(target), { recursive: true });
    await copyTree(join(repoRoot, path), target);
    const { size, mtimeMs } = await stat(target);
    included.push({ path, size, mtimeMs });
  }
  return { included, missing };
}
