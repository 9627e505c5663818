import type { SetTimer } from '../../../src/bridge/gateway/exchangeLimits.ts';

/** Timers that go off when the test says so: a limit is reached at once, and never early on a busy machine. */
export class HandTimers {
  readonly #timers = new Set<{ leftMs: number; callback: () => void }>();

  readonly setTimer: SetTimer = (callback, delayMs) => {
    const timer = { leftMs: delayMs, callback };
    this.#timers.add(timer);
    return {
      refresh: () => {
        timer.leftMs = delayMs;
        this.#timers.add(timer);
      },
      [Symbol.dispose]: () => void this.#timers.delete(timer),
    };
  };

  /** How many are running. */
  get count(): number {
    return this.#timers.size;
  }

  advance(timeMs: number): void {
    for (const timer of [...this.#timers]) {
      timer.leftMs -= timeMs;
      if (timer.leftMs > 0) continue;
      this.#timers.delete(timer);
      timer.callback();
    }
  }
}
