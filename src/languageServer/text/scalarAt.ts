import type { Span } from './textOutline.ts';

export interface FoundScalar extends Span {
  /** Without the quotes. */
  readonly inner: Span;
  /** What it says, escapes undone. */
  readonly text: string;
  readonly quote: '"' | "'" | null;
  /** False: the closing quote is missing. */
  readonly isClosed: boolean;
  /** Offset of the ":" that makes it a key; -1: none. */
  readonly colon: number;
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '0': '\0',
  e: '\u001b',
};

/**
 * The scalar that starts at an offset, read up to `limit`; null when there is none. `key`: a plain one ends at its ":".
 * `flow`: a plain one also ends at what closes or parts a flow collection.
 */
export function scalarAt(
  text: string,
  start: number,
  limit: number,
  as: 'key' | 'value' | 'flow',
): FoundScalar | null {
  const first = text[start];
  if (start >= limit || first === undefined || first === '#') return null;
  return first === '"' || first === "'"
    ? quoted(text, start, limit, first, as)
    : plain(text, start, limit, as);
}

function quoted(
  text: string,
  start: number,
  limit: number,
  quote: '"' | "'",
  as: 'key' | 'value' | 'flow',
): FoundScalar {
  let position = start + 1;
  let value = '';
  let isClosed = false;
  for (; position < limit; position++) {
    const character = text[position] ?? '';
    if (quote === '"' && character === '\\' && position + 1 < limit) {
      const escaped = text[++position] ?? '';
      value += ESCAPES[escaped] ?? escaped;
    } else if (character !== quote) value += character;
    else if (quote === "'" && text[position + 1] === "'" && position + 1 < limit) {
      value += "'";
      position++;
    } else {
      isClosed = true;
      break;
    }
  }
  const innerEnd = Math.min(position, limit);
  const end = isClosed ? position + 1 : innerEnd;
  let colon = -1;
  if (isClosed && as !== 'value') {
    let after = end;
    while (after < limit && text[after] === ' ') after++;
    // In a flow collection a quoted key needs no space after its colon.
    if (
      text[after] === ':' &&
      after < limit &&
      (as === 'flow' || isColon(text, after, limit, as))
    ) {
      colon = after;
    }
  }
  return {
    start,
    end,
    inner: { start: start + 1, end: innerEnd },
    text: value,
    quote,
    isClosed,
    colon,
  };
}

function plain(
  text: string,
  start: number,
  limit: number,
  as: 'key' | 'value' | 'flow',
): FoundScalar | null {
  let position = start;
  let colon = -1;
  for (; position < limit; position++) {
    const character = text[position] ?? '';
    if (character === '#' && position > start && /[ \t]/.test(text[position - 1] ?? '')) break;
    if (as === 'flow' && /[,{}[\]\n\r]/.test(character)) {
      // `${env:NAME}` is one word to a person, although a flow collection ends a word at "{".
      const reference =
        character === '{' && text[position - 1] === '$' ? closing(text, position, limit) : -1;
      if (reference < 0) break;
      position = reference;
      continue;
    }
    if (character === ':' && as !== 'value' && isColon(text, position, limit, as)) {
      colon = position;
      break;
    }
  }
  let end = position;
  while (end > start && /[ \t\r]/.test(text[end - 1] ?? '')) end--;
  if (end === start && colon < 0) return null;
  return {
    start,
    end,
    inner: { start, end },
    text: text.slice(start, end),
    quote: null,
    isClosed: true,
    colon,
  };
}

function closing(text: string, open: number, limit: number): number {
  const found = /^\{(env|secret)?:?[A-Za-z0-9_.-]*\}/.exec(
    text.slice(open, Math.min(limit, open + 200)),
  );
  return found === null ? -1 : open + found[0].length - 1;
}

function isColon(
  text: string,
  position: number,
  limit: number,
  as: 'key' | 'value' | 'flow',
): boolean {
  const after = text[position + 1];
  if (position + 1 >= limit || after === undefined) return true;
  return as === 'flow' ? /[\s,[\]{}]/.test(after) : /[ \t\r\n]/.test(after);
}
