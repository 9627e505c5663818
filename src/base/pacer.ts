/**
 * Runs a piece of work at most once in a gap, never twice at the same time. What is asked for meanwhile is done once, at the end of
 * the gap, so the last state is never missed.
 */
export class Pacer {
  readonly #work: () => Promise<void>;
  readonly #gapMs: number;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #isRunning = false;
  #isAsked = false;
  #isDisposed = false;

  /** @param work must not reject */
  constructor(work: () => Promise<void>, gapMs: number) {
    this.#work = work;
    this.#gapMs = gapMs;
  }

  ask(): void {
    if (this.#isDisposed) return;
    this.#isAsked = true;
    if (this.#timer === null && !this.#isRunning) void this.#run();
  }

  dispose(): void {
    this.#isDisposed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  async #run(): Promise<void> {
    this.#isAsked = false;
    this.#isRunning = true;
    try {
      await this.#work();
    } finally {
      this.#isRunning = false;
      if (!this.#isDisposed) this.#timer = setTimeout(() => this.#gapIsOver(), this.#gapMs);
    }
  }

  #gapIsOver(): void {
    this.#timer = null;
    if (this.#isAsked) void this.#run();
  }
}
