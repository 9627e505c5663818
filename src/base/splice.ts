/** The one place in which two texts differ. */
export interface Splice {
  readonly start: number;
  readonly deleteCount: number;
  readonly insert: string;
}

/** The shortest splice that leads from one text to the other; never inside of a surrogate pair. */
export function spliceBetween(before: string, after: string): Splice {
  const limit = Math.min(before.length, after.length);
  let start = 0;
  while (start < limit && before[start] === after[start]) start++;
  if (start > 0 && isHighSurrogate(before.charCodeAt(start - 1))) start--;
  let tail = 0;
  while (
    tail < limit - start &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  ) {
    tail++;
  }
  if (tail > 0 && isLowSurrogate(before.charCodeAt(before.length - tail))) tail--;
  const deleteCount = before.length - tail - start;
  const insert = after.slice(start, after.length - tail);
  return deleteCount > 0 ? { start, deleteCount, insert } : asFarLeft(before, start, insert);
}

/** Of all places where the same insertion leads to the same text the first: there it begins where a person would say it does. */
function asFarLeft(before: string, end: number, text: string): Splice {
  let start = end;
  let insert = text;
  while (
    start > 0 &&
    before[start - 1] === insert.at(-1) &&
    !isSurrogate(before.charCodeAt(start - 1))
  ) {
    insert = insert.slice(-1) + insert.slice(0, -1);
    start--;
  }
  return { start, deleteCount: 0, insert };
}

export function applySplice(text: string, { start, deleteCount, insert }: Splice): string {
  return text.slice(0, start) + insert + text.slice(start + deleteCount);
}

function isSurrogate(code: number): boolean {
  return isHighSurrogate(code) || isLowSurrogate(code);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
