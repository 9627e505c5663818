import type { TextReplacement } from './textReplacement.ts';

/** A stretch of the first text, or new text. */
type Piece = { readonly start: number; readonly end: number } | { readonly newText: string };

/** Several rounds of replacements, each of the text that the one before left, as one round on the first text. */
export class Pieces {
  readonly #text: string;
  #pieces: Piece[];

  constructor(text: string) {
    this.#text = text;
    this.#pieces = [{ start: 0, end: text.length }];
  }

  /** @param replacements in order, not overlapping; offsets in the text as it is now */
  apply(replacements: readonly TextReplacement[]): void {
    for (const { start, end, newText } of replacements.toReversed()) {
      const before = this.#slice(0, start);
      const after = this.#slice(end, Infinity);
      this.#pieces = [...before, ...(newText === '' ? [] : [{ newText }]), ...after];
    }
  }

  replacements(): TextReplacement[] {
    const found: TextReplacement[] = [];
    let at = 0;
    let newText = '';
    const close = (start: number, end: number) => {
      const replacement = trimmed(this.#text, at, start, newText);
      if (replacement !== null) found.push(replacement);
      at = end;
      newText = '';
    };
    for (const piece of this.#pieces) {
      if ('newText' in piece) newText += piece.newText;
      else close(piece.start, piece.end);
    }
    close(this.#text.length, this.#text.length);
    return found;
  }

  #slice(from: number, to: number): Piece[] {
    const slice: Piece[] = [];
    let at = 0;
    for (const piece of this.#pieces) {
      const length = 'newText' in piece ? piece.newText.length : piece.end - piece.start;
      const first = Math.max(from - at, 0);
      const last = Math.min(to - at, length);
      if (first < last) {
        slice.push(
          'newText' in piece
            ? { newText: piece.newText.slice(first, last) }
            : { start: piece.start + first, end: piece.start + last },
        );
      }
      at += length;
    }
    return slice;
  }
}

/** Without what is the same at both ends; null when nothing is left. */
function trimmed(
  text: string,
  start: number,
  end: number,
  newText: string,
): TextReplacement | null {
  if (text.slice(start, end) === newText) return null;
  const most = Math.min(end - start, newText.length);
  let head = 0;
  while (head < most && text[start + head] === newText[head]) head++;
  while (head > 0 && isInside(text, start + head)) head--;
  let tail = 0;
  while (tail < most - head && text[end - 1 - tail] === newText[newText.length - 1 - tail]) tail++;
  while (tail > 0 && isInside(text, end - tail)) tail--;
  return {
    start: start + head,
    end: end - tail,
    newText: newText.slice(head, newText.length - tail),
  };
}

/** Inside of a line break of Windows, or of a character of two units: no editor has a place there. */
function isInside(text: string, offset: number): boolean {
  const pair = text.slice(offset - 1, offset + 1);
  return pair === '\r\n' || /^[\ud800-\udbff][\udc00-\udfff]$/.test(pair);
}
