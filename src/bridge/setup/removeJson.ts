import type { Node } from 'jsonc-parser';

/**
 * The text without one entry: a property of an object or an element of a list. What `insertJson` has put in goes to the byte,
 * except that white space between the brackets of a container that was empty is not known any more.
 */
export function removeJson(text: string, entry: Node): string {
  const container = entry.parent;
  const siblings = container?.children ?? [];
  const index = siblings.indexOf(entry);
  if (container === undefined || index < 0) throw new Error('An entry has a container.');
  const end = entry.offset + entry.length;
  const comma = commaAfter(text, end);
  const tail = comma < 0 ? end : comma + 1;
  const start = startOf(text, entry.offset, tail);
  if (siblings[index + 1] !== undefined) return cut(text, start, tail);
  const previous = siblings[index - 1];
  if (previous !== undefined) {
    const before = commaAfter(text, previous.offset + previous.length);
    // A trailing comma is the file's own style: then the one of the entry before it becomes the last.
    if (comma >= 0 || before < 0) return cut(text, start, tail);
    return cut(text, before, before + 1, start, tail);
  }
  const close = container.offset + container.length - 1;
  const isBare = text.slice(container.offset + 1, start).trim() === '';
  const rest = text.slice(tail, close).trim() === '' && isBare ? close : tail;
  return cut(text, start, rest);
}

/** The property or element that a value stands for. */
export function entryOf(value: Node): Node {
  return value.parent?.type === 'property' ? value.parent : value;
}

/** Where the comma behind a value is; -1 when none follows. */
function commaAfter(text: string, end: number): number {
  const gap = /^(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*,/.exec(text.slice(end));
  return gap === null ? -1 : end + gap[0].length - 1;
}

/** With the white space in front, but for the line end of a line comment when nothing else would end it. */
function startOf(text: string, offset: number, tail: number): number {
  const start = text.slice(0, offset).trimEnd().length;
  const gap = text.slice(start, offset);
  const line = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  const isEnded = /^[ \t]*\r?\n/.test(text.slice(tail));
  if (isEnded || !line.includes('//') || !gap.includes('\n')) return start;
  return start + gap.indexOf('\n') + 1;
}

/** Without the characters of one or two ranges, the second behind the first. */
function cut(
  text: string,
  from: number,
  to: number,
  from2 = text.length,
  to2 = text.length,
): string {
  return text.slice(0, from) + text.slice(to, from2) + text.slice(to2);
}
