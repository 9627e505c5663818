export interface PageWanted {
  /** First line, from 1. */
  readonly line: number;
  /** First character of that line, from 1. */
  readonly column: number;
  readonly maxLines: number | null;
  /** Bound of the page with its line numbers, in characters; at least one character of the text is always taken. */
  readonly maxChars: number;
}

export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface Page {
  readonly lines: readonly { readonly number: number; readonly text: string }[];
  /** Lines of the whole text. */
  readonly totalLines: number;
  /** Where the next page begins; null: this was the last one. */
  readonly next: Place | null;
  readonly lineEnds: 'lf' | 'crlf' | 'mixed';
  readonly hasFinalNewline: boolean;
  /** Characters of the first wanted line. */
  readonly firstLineLength: number;
}

/** Takes one page of numbered lines out of a text that comes in pieces, whole lines where they fit. Memory: one page. */
export class LinePager {
  readonly #wanted: PageWanted;
  readonly #lines: { number: number; text: string; isWhole: boolean }[] = [];
  #line = 1;
  /** Characters of the current line that came so far. */
  #seen = 0;
  #endsWithReturn = false;
  #current = '';
  #usedChars = 0;
  #next: Place | null = null;
  #firstLineLength = 0;
  #crlfCount = 0;

  constructor(wanted: PageWanted) {
    this.#wanted = wanted;
  }

  add(text: string): void {
    for (let at = 0; at < text.length;) {
      const newline = text.indexOf('\n', at);
      const end = newline < 0 ? text.length : newline;
      if (end > at) this.#addToLine(text.slice(at, end));
      if (newline < 0) return;
      if (this.#endsWithReturn) this.#crlfCount += 1;
      this.#endLine(true);
      at = newline + 1;
    }
  }

  end(): Page {
    const hasFinalNewline = this.#seen === 0;
    const newlines = this.#line - 1;
    if (!hasFinalNewline) this.#endLine(false);
    const totalLines = this.#line - 1;
    const last = this.#lines.at(-1);
    if (this.#next === null && last !== undefined && last.number < totalLines) {
      this.#next = { line: last.number + 1, column: 1 };
    }
    const isCrlf = this.#crlfCount > 0 && this.#crlfCount === newlines;
    return {
      lines: this.#lines.map(({ number, text, isWhole }) => ({
        number,
        text: isCrlf && isWhole && text.endsWith('\r') ? text.slice(0, -1) : text,
      })),
      totalLines,
      next: this.#next,
      lineEnds: isCrlf ? 'crlf' : this.#crlfCount > 0 ? 'mixed' : 'lf',
      hasFinalNewline,
      firstLineLength: this.#firstLineLength,
    };
  }

  #addToLine(piece: string): void {
    if (this.#isWanted()) {
      const skipped = this.#line === this.#wanted.line ? this.#wanted.column - 1 : 0;
      this.#take(piece.slice(Math.max(0, skipped - this.#seen)));
    }
    this.#seen += piece.length;
    this.#endsWithReturn = piece.endsWith('\r');
  }

  #take(text: string): void {
    const prefix = `${this.#line}\t`.length + 1;
    const room = this.#wanted.maxChars - this.#usedChars - prefix - this.#current.length;
    if (text.length <= room) {
      this.#current += text;
      return;
    }
    if (this.#lines.length > 0) {
      this.#next = { line: this.#line, column: 1 };
      return;
    }
    const taken = text.slice(0, cutLength(text, Math.max(room, this.#current === '' ? 1 : 0)));
    this.#current += taken;
    // More of the line may come, or not: only then is it cut.
    if (taken === text) return;
    const start = this.#line === this.#wanted.line ? this.#wanted.column : 1;
    this.#next = { line: this.#line, column: start + this.#current.length };
    this.#lines.push({ number: this.#line, text: this.#current, isWhole: false });
  }

  #endLine(isWhole: boolean): void {
    if (this.#line === this.#wanted.line) this.#firstLineLength = this.#seen;
    if (this.#isWanted()) {
      const prefix = `${this.#line}\t`.length + 1;
      const length = prefix + this.#current.length;
      if (this.#lines.length > 0 && this.#usedChars + length > this.#wanted.maxChars) {
        this.#next = { line: this.#line, column: 1 };
      } else {
        this.#lines.push({ number: this.#line, text: this.#current, isWhole });
        this.#usedChars += length;
      }
    }
    this.#current = '';
    this.#seen = 0;
    this.#endsWithReturn = false;
    this.#line += 1;
  }

  #isWanted(): boolean {
    const { line, maxLines } = this.#wanted;
    if (this.#next !== null || this.#line < line) return false;
    return maxLines === null || this.#lines.length < maxLines;
  }
}

/** As much of a text as fits, no character of two halves cut in two; but one character at least when `wanted` is not 0. */
function cutLength(text: string, wanted: number): number {
  if (!/[\ud800-\udbff]/.test(text[wanted - 1] ?? '')) return wanted;
  return wanted > 1 ? wanted - 1 : Math.min(2, text.length);
}
