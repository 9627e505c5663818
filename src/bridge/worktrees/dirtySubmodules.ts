import { readFile, realpath } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import type { ScratchIndex } from './scratchIndex.ts';
import type { Git } from './gitRunner.ts';

/**
 * Submodules with content that their commit does not have: the pointer says nothing of it, so it would go with the tree. Git
 * is started only with the git directory that the bridge made for the submodule; one that leads elsewhere is of the job's
 * making and counts as dirty unseen.
 */
export async function dirtySubmodules(options: {
  git: Git;
  index: ScratchIndex;
  root: string;
  /** Git directory of the worktree. */
  gitDir: string;
  signal?: AbortSignal | undefined;
}): Promise<string[]> {
  const { git, index, root, signal } = options;
  const { stdout } = await index.run(['ls-files', '-z', '--stage'], { readOnly: true });
  const dirty: string[] = [];
  for (const entry of stdout.toString('utf8').split('\0')) {
    const path = /^160000 [0-9a-f]+ \d\t(.+)$/s.exec(entry)?.[1];
    const link = path === undefined ? null : await gitLink(join(root, path));
    if (path === undefined || link === null) continue;
    if (!link.startsWith(join(options.gitDir, 'modules') + sep)) {
      dirty.push(path);
      continue;
    }
    const status = await git.run(['status', '--porcelain', '-z', '--ignore-submodules=dirty'], {
      cwd: join(root, path),
      readOnly: true,
      signal,
      env: { GIT_DIR: link, GIT_WORK_TREE: join(root, path) },
    });
    if (status.stdout.length > 0) dirty.push(path);
  }
  return dirty;
}

/** The git directory that a submodule's `.git` names, '' when it is a directory itself, null when it is not checked out. */
async function gitLink(folder: string): Promise<string | null> {
  try {
    const text = await readFile(join(folder, '.git'), 'utf8');
    const target = /^gitdir: (.+)\n?$/.exec(text)?.[1] ?? '';
    return await realpath(resolve(folder, target));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    if (code === 'EISDIR') return '';
    throw error;
  }
}
