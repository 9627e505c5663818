/** Most that one excerpt adds to a brief: about 4 000 tokens. */
const MAX_CHARACTERS = 16_000;
const MAX_LINES = 400;

export interface Cut {
  readonly text: string;
  readonly isCut: boolean;
}

/** Text with LF line ends, at most so many lines and characters, never cut inside a character. */
export function cutText(
  text: string,
  { maxLines = MAX_LINES, maxCharacters = MAX_CHARACTERS } = {},
): Cut {
  // A regular expression over a huge text would cost more than what is kept of it.
  const head = text.slice(0, maxCharacters * 2).replace(/\r\n?/g, '\n');
  const lines = head.split('\n', maxLines + 1);
  const kept = lines.slice(0, maxLines).join('\n');
  const end = isHighSurrogate(kept.charCodeAt(maxCharacters - 1))
    ? maxCharacters - 1
    : maxCharacters;
  const cut = kept.slice(0, end);
  const isCut =
    text.length > maxCharacters * 2 || lines.length > maxLines || cut.length < kept.length;
  return { text: cut, isCut };
}

/** As `cutText`, but the end is kept: what failed stands at the end of an output. */
export function cutHead(
  text: string,
  { maxLines = MAX_LINES, maxCharacters = MAX_CHARACTERS } = {},
): Cut {
  const tail = text.slice(-maxCharacters * 2).replace(/\r\n?/g, '\n');
  const lines = tail.split('\n');
  const kept = lines.slice(-maxLines).join('\n');
  const start = Math.max(0, kept.length - maxCharacters);
  const cut = kept.slice(isHighSurrogate(kept.charCodeAt(start - 1)) ? start + 1 : start);
  const isCut =
    text.length > maxCharacters * 2 || lines.length > maxLines || cut.length < kept.length;
  return { text: cut, isCut };
}

/** A NUL is in no text file. */
export function isBinaryText(text: string): boolean {
  return text.slice(0, MAX_CHARACTERS).includes('\u0000');
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
