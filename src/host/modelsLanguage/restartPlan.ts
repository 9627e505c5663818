/** How long after each end in a row the next process is started. */
const DELAYS_MS = [250, 1000, 4000, 10_000] as const;
/** As the language client library has it: more than four ends within three minutes are no accident. */
const WINDOW_MS = 3 * 60_000;

/** Decides what follows when the language server has ended by itself. */
export class RestartPlan {
  readonly #nowMs: () => number;
  #endedAtMs: number[] = [];

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** How long to wait before the next start; null: it is not started again by itself. */
  next(): number | null {
    const nowMs = this.#nowMs();
    this.#endedAtMs = [...this.#endedAtMs.filter((atMs) => nowMs - atMs < WINDOW_MS), nowMs];
    return DELAYS_MS[this.#endedAtMs.length - 1] ?? null;
  }

  /** A person wants it started: what was before does not count. */
  forget(): void {
    this.#endedAtMs = [];
  }
}
