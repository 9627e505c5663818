import type { SupervisorClock } from '../bridge/serverSupervisor.ts';

const MOST_A_SECOND = 4;
const SECOND_MS = 1000;

/**
 * Hands changes of rows on: the first at once, and no more than four times in any second; what comes meanwhile goes together.
 * `null` stands for the whole tree.
 */
export class ChangeThrottle<Node> {
  readonly #clock: SupervisorClock;
  readonly #fire: (nodes: readonly Node[] | null) => void;
  #nodes = new Set<Node>();
  #isWhole = false;
  #firedAtMs: number[] = [];
  #cancel: (() => void) | null = null;

  constructor(clock: SupervisorClock, fire: (nodes: readonly Node[] | null) => void) {
    this.#clock = clock;
    this.#fire = fire;
  }

  add(nodes: readonly Node[] | null): void {
    if (nodes === null) this.#isWhole = true;
    else for (const node of nodes) this.#nodes.add(node);
    if (this.#cancel === null) this.#flushWhenMay();
  }

  dispose(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#nodes.clear();
    this.#isWhole = false;
  }

  #flushWhenMay(): void {
    if (!this.#isWhole && this.#nodes.size === 0) return;
    const nowMs = this.#clock.nowMs();
    this.#firedAtMs = this.#firedAtMs.filter((atMs) => nowMs - atMs < SECOND_MS);
    const [oldest] = this.#firedAtMs;
    if (this.#firedAtMs.length >= MOST_A_SECOND && oldest !== undefined) {
      this.#cancel = this.#clock.after(oldest + SECOND_MS - nowMs, () => {
        this.#cancel = null;
        this.#flushWhenMay();
      });
      return;
    }
    const nodes = this.#isWhole ? null : [...this.#nodes];
    this.#nodes = new Set();
    this.#isWhole = false;
    this.#firedAtMs.push(nowMs);
    this.#fire(nodes);
  }
}
