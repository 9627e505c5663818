import { realpath } from 'node:fs/promises';
import type { Git } from './gitRunner.ts';

/** One registered worktree, as git lists it. */
export interface RegisteredWorktree {
  /** With links resolved when the directory is there. */
  readonly path: string;
  /** Full ref name; null when detached. */
  readonly branch: string | null;
  readonly isLocked: boolean;
}

/** All worktrees of the repository, the main one included, those whose directory is gone too. */
export async function listWorktrees(git: Git, repoRoot: string): Promise<RegisteredWorktree[]> {
  const { stdout } = await git.run(['worktree', 'list', '--porcelain', '-z'], {
    cwd: repoRoot,
    readOnly: true,
  });
  const worktrees: RegisteredWorktree[] = [];
  for (const block of stdout.toString('utf8').split('\0\0')) {
    const lines = block.split('\0');
    const value = (name: string) =>
      lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? null;
    const path = value('worktree');
    if (path === null) continue;
    const isLocked = lines.some((line) => line === 'locked' || line.startsWith('locked '));
    worktrees.push({ path: await realpathIfThere(path), branch: value('branch'), isLocked });
  }
  return worktrees;
}

/** The path with links resolved; as it is when nothing is there. */
export async function realpathIfThere(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return path;
    throw error;
  }
}

export async function refExists(git: Git, repoRoot: string, ref: string): Promise<boolean> {
  const { code } = await git.run(['show-ref', '--verify', '--quiet', ref], {
    cwd: repoRoot,
    readOnly: true,
    okCodes: [0, 1],
  });
  return code === 0;
}
