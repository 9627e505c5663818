/** The same choices for the same seed (mulberry32). */
export class SeededChoice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  chance(probability: number): boolean {
    return this.#next() < probability;
  }

  /** Undefined for an empty list. */
  of<T>(choices: readonly [T, ...T[]]): T;
  of<T>(choices: readonly T[]): T | undefined;
  of<T>(choices: readonly T[]): T | undefined {
    return choices[this.below(choices.length)];
  }

  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}

export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** From a model server's point of view: each session lives at least from its first request to its last. */
export class SessionLog {
  readonly #sessions = new Map<string, { from: number; to: number }>();

  add(request: { readonly path: string; readonly headers: NodeJS.Dict<string | string[]> }): void {
    const id = request.headers['x-claude-code-session-id'];
    if (typeof id !== 'string') return;
    const now = performance.now();
    const known = this.#sessions.get(id);
    if (known === undefined) this.#sessions.set(id, { from: now, to: now });
    else known.to = now;
  }

  intervals(): Interval[] {
    return [...this.#sessions.values()];
  }
}

/** How many of the intervals overlap at the fullest moment. */
export function mostAtOnce(intervals: readonly Interval[]): number {
  return Math.max(
    0,
    ...intervals.map(
      ({ from }) => intervals.filter((other) => other.from <= from && from <= other.to).length,
    ),
  );
}
