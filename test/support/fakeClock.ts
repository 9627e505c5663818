import type { SupervisorClock } from '../../src/host/bridge/serverSupervisor.ts';

/** Time that passes when the test says so. */
export class FakeClock implements SupervisorClock {
  #nowMs = 0;
  #waiting: { readonly atMs: number; readonly run: () => void }[] = [];

  nowMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, run: () => void): () => void {
    const entry = { atMs: this.#nowMs + delayMs, run };
    this.#waiting.push(entry);
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== entry);
    };
  }

  get pending(): number {
    return this.#waiting.length;
  }

  /** Runs what is due on the way, in its order. */
  async advance(timeMs: number): Promise<void> {
    const endMs = this.#nowMs + timeMs;
    for (;;) {
      const [next] = this.#waiting
        .filter(({ atMs }) => atMs <= endMs)
        .sort((a, b) => a.atMs - b.atMs);
      if (next === undefined) break;
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      this.#waiting = this.#waiting.filter((other) => other !== next);
      next.run();
      await settled();
    }
    this.#nowMs = endMs;
    await settled();
  }
}

/** Lets every promise that can go on do so. */
export async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
