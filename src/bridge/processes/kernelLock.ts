import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { BridgeError } from '../../base/bridgeError.ts';

/**
 * A lock between processes that the kernel drops with its holder, also after kill -9: an exclusive transaction on a small
 * SQLite file. No code may read such a file as a file: on POSIX, closing any descriptor of it drops the lock.
 */
export interface KernelLock {
  release(): void;
}

const SQLITE_BUSY = 5;
const RETRY_MIN_MS = 5;
const RETRY_SPREAD_MS = 20;

export function tryKernelLock(file: string): KernelLock | null {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (isBusy(error)) return null;
    throw error;
  }
  let isReleased = false;
  return {
    release() {
      if (isReleased) return;
      isReleased = true;
      database.close();
    },
  };
}

/** Waits for the lock; past `timeoutMs` it throws `store_unavailable` with the file's purpose in the sentence. */
export async function acquireKernelLock(
  file: string,
  options: { timeoutMs: number; purpose: string; signal?: AbortSignal },
): Promise<KernelLock> {
  const deadline = performance.now() + options.timeoutMs;
  for (;;) {
    options.signal?.throwIfAborted();
    const lock = tryKernelLock(file);
    if (lock) return lock;
    if (performance.now() > deadline) {
      throw new BridgeError(
        'store_unavailable',
        `Another process has held the lock for ${options.purpose} for ${Math.round(options.timeoutMs / 1000)} s.`,
        { hint: 'Wait for the other job or command to finish, then try again.' },
      );
    }
    await delay(RETRY_MIN_MS + Math.random() * RETRY_SPREAD_MS);
  }
}

/**
 * Whether some process holds the lock now. Probed by a read, never by a lock of our own: two exclusive probers would see
 * each other as the holder. A stopped (SIGSTOP) holder is alive.
 */
export function isKernelLockHeld(file: string): boolean {
  if (!existsSync(file)) return false;
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA busy_timeout = 0');
    database.prepare('SELECT count(*) FROM sqlite_master').get();
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  } finally {
    database.close();
  }
}

export function isBusy(error: unknown): boolean {
  const code = (error as { errcode?: number } | null)?.errcode;
  return code !== undefined && (code & 0xff) === SQLITE_BUSY;
}
