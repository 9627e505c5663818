import { BridgeError } from '../../base/bridgeError.ts';
import { cleanUpLocked, type CleanUpOptions } from './cleanUp.ts';

/**
 * Removes directory, registration, branch and refs of a worktree, whichever of them are there. The caller holds the lock of
 * the repository. Throws when one of them could not be removed; what is gone stays gone, so a second call goes on.
 */
export async function removeWorktree(options: CleanUpOptions): Promise<void> {
  const { left } = await cleanUpLocked(options);
  if (left.length === 0) return;
  throw new BridgeError(
    'git_failed',
    `The worktree could not be removed: ${left.map(({ what, why }) => `${what}: ${why}`).join('; ')}.`,
    { hint: 'Run "delegate gc" when nothing uses it any more.' },
  );
}
