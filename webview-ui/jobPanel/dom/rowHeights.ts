/** Where rows of different heights stand, measured ones and those that have not been seen yet. */
export class RowHeights {
  readonly #estimate: () => number;
  readonly #measured = new Map<number, number>();
  #keys: readonly number[] = [];
  /** Top of each row, and behind the last one the height of all. */
  #tops = new Float64Array(1);

  constructor(estimate: () => number) {
    this.#estimate = estimate;
  }

  get total(): number {
    return this.#tops[this.#keys.length] ?? 0;
  }

  /** The rows by their keys, in order. */
  setKeys(keys: readonly number[]): void {
    this.#keys = keys;
    this.#layOut();
    // Rows that were let go leave their heights behind.
    if (this.#measured.size > 2 * keys.length + 1000) {
      const known = new Set(keys);
      for (const key of this.#measured.keys()) if (!known.has(key)) this.#measured.delete(key);
    }
  }

  /** Whether anything has moved. */
  measure(heights: ReadonlyMap<number, number>): boolean {
    let hasMoved = false;
    for (const [key, height] of heights) {
      if (this.#measured.get(key) === height) continue;
      this.#measured.set(key, height);
      hasMoved = true;
    }
    if (hasMoved) this.#layOut();
    return hasMoved;
  }

  /** All heights were those of another width. */
  forget(): void {
    this.#measured.clear();
    this.#layOut();
  }

  top(index: number): number {
    return this.#tops[Math.min(Math.max(index, 0), this.#keys.length)] ?? 0;
  }

  height(index: number): number {
    return this.top(index + 1) - this.top(index);
  }

  /** The row at this height from the top; the nearest one when there is none. */
  indexAt(y: number): number {
    let low = 0;
    let high = Math.max(0, this.#keys.length - 1);
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#tops[middle] ?? 0) <= y) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #layOut(): void {
    const tops = new Float64Array(this.#keys.length + 1);
    const estimate = this.#estimate();
    let top = 0;
    for (const [index, key] of this.#keys.entries()) {
      tops[index] = top;
      top += this.#measured.get(key) ?? estimate;
    }
    tops[this.#keys.length] = top;
    this.#tops = tops;
  }
}
