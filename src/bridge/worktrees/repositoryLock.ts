import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { acquireKernelLock } from '../processes/kernelLock.ts';

const LOCK_TIMEOUT_MS = 120_000;

/**
 * Runs `work` while no other process or caller of the bridge changes worktrees or refs of the same repository. The lock
 * goes by the common git directory, since all linked worktrees share its config and refs.
 */
export async function withRepositoryLock<T>(
  options: { stateDir: string; commonDir: string; signal?: AbortSignal | undefined },
  work: () => Promise<T>,
): Promise<T> {
  const file = join(options.stateDir, 'locks', `repository-${pathHash(options.commonDir)}.sqlite`);
  const lock = await acquireKernelLock(file, {
    timeoutMs: LOCK_TIMEOUT_MS,
    purpose: `the repository ${options.commonDir}`,
    ...(options.signal ? { signal: options.signal } : {}),
  });
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** Ten characters that stand for a path in file names. */
export function pathHash(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 10);
}
