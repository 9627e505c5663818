import type { LoopClock } from './loopClock.ts';

/** Less time than this is not worth another attempt. */
const LEAST_SLICE_MS = 30_000;

/** The one time limit over turns, retries, back-off and tools. */
export class Deadline {
  readonly #clock: LoopClock;
  readonly #endMs: number;
  readonly #controller = new AbortController();
  readonly #callOff: () => void;
  /** What must be left for an attempt to begin: 30 s, or a quarter of a limit that is short itself. */
  readonly leastSliceMs: number;
  readonly limitMs: number;

  constructor(clock: LoopClock, limitMs: number) {
    this.#clock = clock;
    this.limitMs = limitMs;
    this.leastSliceMs = Math.min(LEAST_SLICE_MS, limitMs / 4);
    this.#endMs = clock.nowMs() + limitMs;
    this.#callOff = clock.after(limitMs, () => this.#controller.abort());
  }

  /** Aborted when the limit is reached. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get leftMs(): number {
    return Math.max(0, this.#endMs - this.#clock.nowMs());
  }

  /** Whether an attempt that begins in `delayMs` would have time enough. */
  hasSliceAfter(delayMs: number): boolean {
    return this.leftMs - delayMs >= this.leastSliceMs;
  }

  dispose(): void {
    this.#callOff();
  }
}
