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
  return {
    start,
    deleteCount: before.length - tail - start,
    insert: after.slice(start, after.length - tail),
  };
}

export function applySplice(text: string, { start, deleteCount, insert }: Splice): string {
  return text.slice(0, start) + insert + text.slice(start + deleteCount);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
