import { isSeq } from 'yaml';
import type { Data } from './data.ts';
import { entryEnd, entryLines } from './entryLines.ts';
import { type Collection, type Member, membersOf } from './members.ts';
import { type Refusal, refuse } from './refusal.ts';
import { linesText } from './replaceValue.ts';
import type { SourceText } from './sourceText.ts';
import { indentOf, styleAt } from './styleAt.ts';
import type { TextReplacement } from './textReplacement.ts';
import { entryText, flowEntry, flowText, itemText } from './valueText.ts';

/** Where and what: the key of a group, or the place in a list. */
export interface Addition {
  readonly at: string | number;
  readonly value: Data;
}

/** Adds a key behind the last one of a group, or an item at its place in a list. The collection is not empty. */
export function planAdd(
  source: SourceText,
  collection: Collection,
  { at, value }: Addition,
  isSafe: boolean,
): TextReplacement[] | Refusal {
  const members = membersOf(collection);
  const style = styleAt(source, collection, null, isSafe);
  const last = members.at(-1);
  if (last === undefined) return refuse('It is empty.');
  const next = isSeq(collection) ? members[Number(at)] : undefined;
  if (collection.flow === true) {
    const text = isSeq(collection) ? flowText(value, style) : flowEntry(String(at), value, style);
    return addToFlow(source, last, next, text);
  }
  const column = indentOf(source, collection);
  const lines = isSeq(collection)
    ? itemText(value, style, column)
    : entryText(String(at), value, style, column);
  const offset = next === undefined ? entryEnd(source, last) : entryLines(source, next)?.start;
  if (offset === undefined) return refuse('It begins on the line of another entry.');
  return [{ start: offset, end: offset, newText: linesText(source, offset, lines) }];
}

function addToFlow(
  source: SourceText,
  last: Member,
  next: Member | undefined,
  text: string,
): TextReplacement[] {
  const anchor = next ?? last;
  const lineStart = source.lineStart(anchor.start);
  const pad = source.text.slice(lineStart, anchor.start);
  const isOwnLine = pad.trim() === '';
  if (next !== undefined) {
    const gap = isOwnLine ? `${source.eolAt(next.start)}${pad}` : ' ';
    return [{ start: next.start, end: next.start, newText: `${text},${gap}` }];
  }
  if (!isOwnLine) return [{ start: last.end, end: last.end, newText: `, ${text}` }];
  const rest = source.text.slice(last.end, source.lineEnd(last.end));
  if (/^\s*$/.test(rest)) {
    const eol = source.eolAt(last.end);
    return [{ start: last.end, end: last.end, newText: `,${eol}${pad}${text}` }];
  }
  // The comment behind the last one stays with it.
  const hasComma = /^\s*,/.test(rest);
  const isLineDone = /^\s*,?\s*(#.*)?$/.test(rest.trimEnd());
  if (!isLineDone) return [{ start: last.end, end: last.end, newText: `, ${text}` }];
  const lineEnd = source.lineEnd(last.end);
  const eol = source.eolAt(lineEnd);
  const line = {
    start: lineEnd,
    end: lineEnd,
    newText: `${pad}${text}${hasComma ? ',' : ''}${eol}`,
  };
  return hasComma ? [line] : [{ start: last.end, end: last.end, newText: ',' }, line];
}
