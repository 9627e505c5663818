/**
 * Lines of a byte stream, decoded as UTF-8 whatever way the chunks are cut. A line over `maxLength` is dropped whole and
 * reported as such: half a line is worse than none.
 */
export class LineSplitter {
  readonly #decoder = new TextDecoder();
  readonly #maxLength: number;
  readonly #onLine: (line: string) => void;
  readonly #onTooLong: (length: number) => void;
  #rest = '';
  #skipped = 0;

  constructor(options: {
    maxLength: number;
    onLine: (line: string) => void;
    onTooLong?: (length: number) => void;
  }) {
    this.#maxLength = options.maxLength;
    this.#onLine = options.onLine;
    this.#onTooLong = options.onTooLong ?? (() => undefined);
  }

  push(chunk: Uint8Array): void {
    this.#take(this.#decoder.decode(chunk, { stream: true }));
  }

  /** The stream has ended: what is left is a line too. */
  end(): void {
    this.#take(this.#decoder.decode());
    if (this.#rest !== '' || this.#skipped > 0) this.#emit('');
  }

  #take(text: string): void {
    let start = 0;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', start)) {
      this.#emit(text.slice(start, at));
      start = at + 1;
    }
    const rest = text.slice(start);
    if (this.#skipped > 0 || this.#rest.length + rest.length > this.#maxLength) {
      this.#skipped += this.#rest.length + rest.length;
      this.#rest = '';
    } else {
      this.#rest += rest;
    }
  }

  #emit(tail: string): void {
    const length = this.#skipped + this.#rest.length + tail.length;
    if (this.#skipped > 0 || length > this.#maxLength) this.#onTooLong(length);
    else this.#onLine((this.#rest + tail).replace(/\r$/, ''));
    this.#rest = '';
    this.#skipped = 0;
  }
}
