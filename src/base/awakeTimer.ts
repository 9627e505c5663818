/**
 * A deadline that counts time awake: it adds up its own ticks, each at most `MAX_TICK_MS`, so that a laptop that slept for an
 * hour fires nothing on waking.
 */
const TICK_MS = 250;
const MAX_TICK_MS = 1_000;

export class AwakeTimer {
  #spentMs = 0;
  #last: number;
  readonly #interval: NodeJS.Timeout;
  readonly #now: () => number;

  constructor(limitMs: number, onLimit: () => void, now: () => number = () => performance.now()) {
    this.#now = now;
    this.#last = now();
    this.#interval = setInterval(
      () => {
        this.#tick();
        if (this.#spentMs >= limitMs) {
          this.dispose();
          onLimit();
        }
      },
      Math.min(TICK_MS, Math.max(1, limitMs)),
    );
  }

  get spentMs(): number {
    return this.#spentMs;
  }

  /** Starts counting anew: something happened. */
  restart(): void {
    this.#spentMs = 0;
    this.#last = this.#now();
  }

  dispose(): void {
    clearInterval(this.#interval);
  }

  #tick(): void {
    const now = this.#now();
    this.#spentMs += Math.min(now - this.#last, MAX_TICK_MS);
    this.#last = now;
  }
}
