import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { tryKernelLock, type KernelLock } from '../../../processes/kernelLock.ts';

const RETRY_MIN_MS = 20;
const RETRY_SPREAD_MS = 60;

/**
 * One of the places for commands that all jobs of a user share; waits until one is free. Who waits longest is not first: a
 * command is short beside what a job may take.
 */
export async function commandSlot(
  lockDir: string,
  slots: number,
  signal: AbortSignal,
): Promise<KernelLock> {
  for (;;) {
    signal.throwIfAborted();
    for (let slot = 0; slot < slots; slot += 1) {
      const lock = tryKernelLock(join(lockDir, `bash-${slot}.lock`));
      if (lock !== null) return lock;
    }
    await delay(RETRY_MIN_MS + Math.random() * RETRY_SPREAD_MS, undefined, { signal });
  }
}
