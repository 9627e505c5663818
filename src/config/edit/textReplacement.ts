/** A stretch of a text and what stands there instead. Offsets count UTF-16 units of the text before. */
export interface TextReplacement {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** @param replacements in order, not overlapping */
export function withReplacements(text: string, replacements: readonly TextReplacement[]): string {
  let result = '';
  let at = 0;
  for (const { start, end, newText } of replacements) {
    result += text.slice(at, start) + newText;
    at = end;
  }
  return result + text.slice(at);
}
