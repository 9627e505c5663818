/** First line of an event that may be an error; the rest of the stream is never held back. */
const ERROR_START = /^(event: ?error\b|data: ?\{\s*"(error"|type"\s*:\s*"error"))/;
/** Enough of a first line to tell. */
const DECIDE_BYTES = 64;
const MAX_HELD_BYTES = 65_536;
const LF = 0x0a;
const CR = 0x0d;

/**
 * Replaces error events in a stream of server-sent events, cut anywhere. All other bytes go through as they came, at once;
 * only an event that begins like an error is held until its end.
 */
export class SseErrorTranslator {
  readonly #translate: (data: string) => string | null;
  #state: 'start' | 'pass' | 'hold' = 'start';
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  /** Bytes in the line at hand, line ends not counted. */
  #lineBytes = 0;

  /** @param translate the data of an error event → the data to send instead, or null to leave it. */
  constructor(translate: (data: string) => string | null) {
    this.#translate = translate;
  }

  /** True when what went on so far ends with a whole event, so that another one may follow. */
  get isBetweenEvents(): boolean {
    return this.#state !== 'pass';
  }

  /** The bytes that may go on now. */
  push(chunk: Uint8Array): Uint8Array[] {
    const out: Uint8Array[] = [];
    let at = 0;
    while (at < chunk.length) {
      if (this.#state === 'start' && this.#heldBytes === 0 && isSurelyNoError(chunk, at)) {
        this.#state = 'pass';
      } else if (this.#state === 'start') {
        at = this.#decide(chunk, at, out);
        continue;
      }
      const end = this.#endOfEvent(chunk, at);
      const piece = chunk.subarray(at, end ?? chunk.length);
      at += piece.length;
      if (this.#state === 'hold') this.#hold(piece);
      else out.push(piece);
      if (end !== null) this.#finish(out);
      else if (this.#heldBytes > MAX_HELD_BYTES) this.#release(out, 'pass');
    }
    return joined(out, chunk);
  }

  /** What is still held when the stream ends. */
  end(): Uint8Array[] {
    const out: Uint8Array[] = [];
    this.#finish(out);
    return out;
  }

  #decide(chunk: Uint8Array, from: number, out: Uint8Array[]): number {
    const lineEnd = chunk.indexOf(LF, from);
    const limit = Math.min(chunk.length, from + Math.max(1, DECIDE_BYTES - this.#heldBytes));
    const isLineWhole = lineEnd !== -1 && lineEnd < limit;
    const to = isLineWhole ? lineEnd + 1 : limit;
    this.#hold(chunk.subarray(from, to));
    if (!isLineWhole && this.#heldBytes < DECIDE_BYTES) return to;
    const head = this.#text();
    if (/^\r?\n$/.test(head)) {
      this.#release(out, 'start');
      return to;
    }
    this.#lineBytes = isLineWhole ? 0 : this.#heldBytes;
    if (ERROR_START.test(head)) this.#state = 'hold';
    else this.#release(out, 'pass');
    return to;
  }

  /** Index behind the empty line that ends the event, or null when it is not in this chunk. */
  #endOfEvent(chunk: Uint8Array, from: number): number | null {
    let at = from;
    for (;;) {
      const lineEnd = chunk.indexOf(LF, at);
      const stop = lineEnd === -1 ? chunk.length : lineEnd;
      const isOnlyReturn = stop - at === 1 && chunk[at] === CR;
      if (!isOnlyReturn) this.#lineBytes += stop - at;
      if (lineEnd === -1) return null;
      const isEmpty = this.#lineBytes === 0;
      this.#lineBytes = 0;
      at = lineEnd + 1;
      if (isEmpty) return at;
    }
  }

  #hold(piece: Uint8Array): void {
    this.#held.push(piece);
    this.#heldBytes += piece.length;
  }

  #finish(out: Uint8Array[]): void {
    const replacement = this.#state === 'hold' ? this.#translate(dataOf(this.#text())) : null;
    if (replacement !== null) {
      this.#held = [];
      out.push(Buffer.from(`event: error\ndata: ${replacement}\n\n`));
    }
    this.#release(out, 'start');
  }

  #release(out: Uint8Array[], next: 'start' | 'pass'): void {
    out.push(...this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    this.#state = next;
    if (next === 'start') this.#lineBytes = 0;
  }

  #text(): string {
    return Buffer.concat(this.#held).toString('utf8');
  }
}

/** The usual case without a copy: `event: ` and a name that does not begin with e. */
function isSurelyNoError(chunk: Uint8Array, at: number): boolean {
  return (
    at + 7 < chunk.length && chunk[at] === 0x65 && chunk[at + 6] === 0x20 && chunk[at + 7] !== 0x65
  );
}

function dataOf(event: string): string {
  return event
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trimStart())
    .join('\n');
}

/** Pieces that lie side by side in the chunk as one: an untouched chunk goes on as one write. */
function joined(pieces: Uint8Array[], chunk: Uint8Array): Uint8Array[] {
  if (pieces.length < 2) return pieces;
  // By address: pieces of other chunks may come from the same pool and add up to the same size.
  let end = chunk.byteOffset;
  const isWhole = pieces.every((piece) => {
    const follows = piece.buffer === chunk.buffer && piece.byteOffset === end;
    end += piece.length;
    return follows;
  });
  return isWhole && end === chunk.byteOffset + chunk.length ? [chunk] : [Buffer.concat(pieces)];
}
