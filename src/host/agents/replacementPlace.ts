/** A stretch of a text; lines and characters count from 0. */
export interface TextPlace {
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

interface Finding {
  readonly code: string;
  /** From 1, as findings have it; line 0: no place. */
  readonly range: { readonly line: number; readonly endLine: number };
  readonly replacement?: { readonly found: string; readonly replace: string } | undefined;
}

/**
 * Where the word stands that a finding would replace: a key at the left edge of the front matter, a tool within the value. Null when it
 * is not there just once: the text is another one by now, or it cannot be said which is meant.
 */
export function replacementPlace(lines: readonly string[], finding: Finding): TextPlace | null {
  const { code, range, replacement } = finding;
  if (replacement === undefined) return null;
  const word = replacement.found.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const isKey = code === 'unknown_key';
  const pattern = isKey ? `^(?=${word}\\s*:)` : `(?<![\\w-])(?=${word}(?![\\w-]))`;
  const [first, last] = isKey ? [1, closingLine(lines)] : [range.line - 1, range.endLine];
  const found = lines.slice(first, last).flatMap((text, index) =>
    [...text.matchAll(new RegExp(pattern, 'g'))].map((match) => ({
      ...{ line: first + index, start: match.index, end: match.index + replacement.found.length },
    })),
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** Index of the line that ends the front matter; the end of the text when none does. */
function closingLine(lines: readonly string[]): number {
  const end = lines.findIndex((line, index) => index > 0 && /^---[ \t]*$/.test(line));
  return end < 0 ? lines.length : end;
}
