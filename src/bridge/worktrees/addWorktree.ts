import { setTimeout as delay } from 'node:timers/promises';
import { BridgeError } from '../../base/bridgeError.ts';
import type { Git } from './gitRunner.ts';
import { removeWorktree } from './removeWorktree.ts';

const MAX_ATTEMPTS = 40;
const RETRY_MIN_MS = 30;
const RETRY_SPREAD_MS = 120;

/**
 * `git worktree add` on a new branch, never on one that exists. Another program may hold a lock file of the repository for
 * a moment; then what the failed attempt left (git leaves the branch behind) is removed and it is tried again. The caller
 * holds the lock of the repository.
 */
export async function addWorktree(options: {
  git: Git;
  commonDir: string;
  root: string;
  branch: string;
  base: string;
  baseRef: string;
  signal?: AbortSignal | undefined;
}): Promise<void> {
  const { git, commonDir, root, branch, base, baseRef, signal } = options;
  const call = { cwd: commonDir, signal };
  for (let attempt = 1; ; attempt++) {
    try {
      await git.run(['update-ref', baseRef, base], call);
      await git.run(['worktree', 'add', '--no-track', '-b', branch, '--', root, base], {
        ...call,
        timeoutMs: 600_000,
      });
      return;
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isHeldLock(error)) throw error;
      await removeWorktree({ git, commonDir, root, branch });
      await delay(
        RETRY_MIN_MS + Math.random() * RETRY_SPREAD_MS,
        undefined,
        signal ? { signal } : {},
      );
    }
  }
}

/** Git has no exit status of its own for "somebody holds a lock file". */
function isHeldLock(error: unknown): boolean {
  if (!BridgeError.is(error, 'git_failed')) return false;
  return /\.lock': File exists|could not lock config file|Unable to create '.*\.lock'/i.test(
    typeof error.details.stderr === 'string' ? error.details.stderr : '',
  );
}
