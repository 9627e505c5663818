import { existsSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Git } from './gitRunner.ts';
import { removeMarker } from './worktreeMarker.ts';

export interface WorktreeParts {
  readonly git: Git;
  /** Common git directory of the repository: it is there even when the checkout that the job came from is not. */
  readonly commonDir: string;
  readonly root: string;
  /** Short name; null = there is none to remove. */
  readonly branch: string | null;
  /** Further refs to delete, full names. */
  readonly refs?: readonly string[];
}

/**
 * Removes directory, registration, branch and refs of a worktree, whichever of them are there. The caller holds the lock of
 * the repository. Throws when one of them could not be removed; what is gone stays gone, so a second call goes on.
 */
export async function removeWorktree(parts: WorktreeParts): Promise<void> {
  const { git, commonDir, root } = parts;
  // git first, as it refuses nothing with two --force; whatever it says, the state after the fact decides.
  await git.run(['worktree', 'remove', '--force', '--force', root], {
    cwd: commonDir,
    okCodes: [0, 1, 128, 255],
  });
  if (existsSync(root)) {
    await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
  await git.run(['worktree', 'prune', '--expire=now'], { cwd: commonDir });
  const branches = parts.branch === null ? [] : [`refs/heads/${parts.branch}`];
  for (const ref of [...branches, ...(parts.refs ?? [])]) {
    // Not `branch -D`: that writes the shared config file to remove a section that is not there.
    await git.run(['update-ref', '-d', ref], { cwd: commonDir });
  }
  await removeMarker(root);
  await removeIfEmpty(dirname(root));
}

async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(code)) throw error;
  }
}
