import type { Writable } from 'node:stream';

const CLEAR_LINE = '\r\u001b[K';

/** A line that is written over on a terminal; elsewhere one plain line per change of `phase`, so that logs stay short. */
export class LiveLine {
  readonly #out: Writable;
  readonly #isTerminal: boolean;
  readonly #columns: number;
  #phase = '';

  constructor(out: Writable, isTerminal: boolean, columns: number) {
    this.#out = out;
    this.#isTerminal = isTerminal;
    this.#columns = columns;
  }

  show(text: string, phase: string): void {
    if (this.#isTerminal) {
      this.#out.write(`${CLEAR_LINE}${text.slice(0, Math.max(1, this.#columns - 1))}`);
    } else if (phase !== this.#phase) {
      this.#out.write(`${text}\n`);
    }
    this.#phase = phase;
  }

  end(): void {
    if (this.#isTerminal) this.#out.write(CLEAR_LINE);
  }
}
