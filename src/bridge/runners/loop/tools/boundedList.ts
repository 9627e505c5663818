/** Lines of an answer up to a number and a sum of characters. */
export class BoundedList {
  readonly #maxLines: number;
  readonly #maxChars: number;
  readonly #lines: string[] = [];
  #chars = 0;
  #isFull = false;

  constructor(maxLines: number, maxChars: number) {
    this.#maxLines = maxLines;
    this.#maxChars = maxChars;
  }

  /** False when there was no room for it: the list is full from then on. */
  add(line: string): boolean {
    if (this.#lines.length >= this.#maxLines || this.#chars + line.length + 1 > this.#maxChars) {
      this.#isFull = true;
    }
    if (this.#isFull) return false;
    this.#lines.push(line);
    this.#chars += line.length + 1;
    return true;
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  get count(): number {
    return this.#lines.length;
  }

  /** Whether something was left out. */
  get isFull(): boolean {
    return this.#isFull;
  }
}
