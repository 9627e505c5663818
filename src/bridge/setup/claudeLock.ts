import { mkdirSync, rmdirSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { BridgeError } from '../../base/bridgeError.ts';

const POLL_MS = 40;
const WAIT_MS = 20_000;
/** Claude Code holds it for milliseconds and takes one over after ten seconds (2.1.332, tried). */
const STALE_MS = 12_000;

/**
 * Runs `work` while it holds the lock under which Claude Code writes a file: a folder of the file's name with `.lock`. A session
 * that writes at the same moment waits, reads the file again and keeps what we have written.
 *
 * @throws BridgeError `setup_failed` when the lock cannot be had
 */
export async function withClaudeLock<T>(file: string, work: () => T): Promise<T> {
  const lock = `${file}.lock`;
  const deadline = performance.now() + WAIT_MS;
  while (!tryLock(lock)) {
    if (performance.now() > deadline) {
      throw new BridgeError('setup_failed', `Claude Code is writing ${file} and does not finish.`, {
        hint: `Try again; when no Claude Code runs, remove ${lock}.`,
      });
    }
    await delay(POLL_MS);
  }
  try {
    return work();
  } finally {
    rmdirSync(lock);
  }
}

function tryLock(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') {
      throw new BridgeError(
        'setup_failed',
        `${lock} cannot be made (${code ?? 'unknown error'}).`,
        {
          hint: 'See to whom the folder belongs.',
        },
      );
    }
  }
  const stat = statSync(lock, { throwIfNoEntry: false });
  if (stat !== undefined && Date.now() - stat.mtimeMs > STALE_MS) removeStale(lock);
  return false;
}

function removeStale(lock: string): void {
  try {
    rmdirSync(lock);
  } catch (error) {
    // Somebody else was faster, or it is no folder: the deadline decides.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'ENOTEMPTY') throw error;
  }
}
