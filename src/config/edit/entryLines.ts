import type { Member } from './members.ts';
import type { SourceText } from './sourceText.ts';

/** The whole lines of an entry of a block: with its own comment lines above it and deeper ones below it. */
export interface EntryLines {
  readonly start: number;
  readonly end: number;
}

/** @returns null when something else stands before the entry on its line, such as the "-" of the list around it. */
export function entryLines(source: SourceText, member: Member): EntryLines | null {
  const lineStart = source.lineStart(member.start);
  if (source.text.slice(lineStart, member.start).trim() !== '') return null;
  return {
    start: ownCommentsStart(source, lineStart, member.start - lineStart),
    end: entryEnd(source, member),
  };
}

/** Offset of the line after the entry, comments that stand deeper than its key included. */
export function entryEnd(source: SourceText, member: Member): number {
  const column = source.column(member.start);
  let end = source.lineEnd(member.end);
  for (let next = end; next < source.text.length;) {
    const comment = source.commentColumn(next);
    const after = source.lineEnd(next + 1);
    if (comment !== null && comment > column) end = after;
    else if (comment !== null || !source.isBlankLine(next)) break;
    next = after;
  }
  return end;
}

/** The comment lines directly above at the same indentation; but the comment at the top of a file is about the file. */
function ownCommentsStart(source: SourceText, lineStart: number, column: number): number {
  let start = lineStart;
  while (!source.isFirstLine(start)) {
    const above = source.lineStart(start - 1);
    if (source.commentColumn(above) !== column) {
      return source.isDocumentMark(above) ? lineStart : start;
    }
    start = above;
  }
  return lineStart;
}
