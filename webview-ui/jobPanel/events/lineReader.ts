/** Joins the pieces of a log to lines. A line that grows over the limit is left out, and reported as null in its place. */
export class LineReader {
  readonly #maxLength: number;
  #rest = '';
  #isTooLong = false;

  constructor(maxLength = 4_000_000) {
    this.#maxLength = maxLength;
  }

  /** The lines that this piece completes; empty ones are left out. */
  push(text: string): (string | null)[] {
    const lines: (string | null)[] = [];
    let from = 0;
    for (;;) {
      const end = text.indexOf('\n', from);
      if (end === -1) break;
      const line = this.#rest + text.slice(from, end);
      this.#rest = '';
      from = end + 1;
      if (this.#isTooLong || line.length > this.#maxLength) lines.push(null);
      else if (line.trim() !== '') lines.push(line);
      this.#isTooLong = false;
    }
    if (!this.#isTooLong) this.#rest += text.slice(from);
    if (this.#rest.length > this.#maxLength) {
      this.#isTooLong = true;
      this.#rest = '';
    }
    return lines;
  }
}
