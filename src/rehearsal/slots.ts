import type { JsonObject } from './json.ts';

export interface SlotCounts {
  processing: number;
  deferred: number;
  promptTokens: number;
  predictedTokens: number;
  /** Time spent in answers that ran to their end, in seconds. */
  predictedSeconds: number;
}

/** The places for concurrent answers, with the counters a llama.cpp server keeps; who finds none free waits in line. */
export class Slots {
  private readonly taken: boolean[];
  private readonly waiting: (() => void)[] = [];
  private promptTokens = 0;
  private predictedTokens = 0;
  private predictedSeconds = 0;

  constructor(count: number) {
    this.taken = new Array<boolean>(count).fill(false);
  }

  get total(): number {
    return this.taken.length;
  }

  /** Runs `work` in the first free slot. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    while (!this.taken.includes(false)) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    const slot = this.taken.indexOf(false);
    this.taken[slot] = true;
    try {
      return await work();
    } finally {
      this.taken[slot] = false;
      this.waiting.shift()?.();
    }
  }

  count(answered: { promptTokens: number; predictedTokens: number; seconds: number }): void {
    this.promptTokens += answered.promptTokens;
    this.predictedTokens += answered.predictedTokens;
    this.predictedSeconds += answered.seconds;
  }

  counts(): SlotCounts {
    return {
      processing: this.taken.filter(Boolean).length,
      deferred: this.waiting.length,
      promptTokens: this.promptTokens,
      predictedTokens: this.predictedTokens,
      predictedSeconds: this.predictedSeconds,
    };
  }

  /** The body of GET /slots. */
  list(contextTokens: number): JsonObject[] {
    return this.taken.map((isTaken, id) => ({
      id,
      n_ctx: contextTokens,
      speculative: false,
      is_processing: isTaken,
    }));
  }
}
