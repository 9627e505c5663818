import type { LoopClock } from './loopClock.ts';

/** Waits; ends early, without an error, when the signal is aborted. */
export async function pause(clock: LoopClock, delayMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      callOff();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const callOff = clock.after(delayMs, done);
    signal.addEventListener('abort', done, { once: true });
  });
}
