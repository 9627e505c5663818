import { entryLines, type EntryLines } from './entryLines.ts';
import type { Member } from './members.ts';
import type { SourceText } from './sourceText.ts';

export interface FlowLines extends EntryLines {
  readonly hasComma: boolean;
}

/** The whole lines of an item of a flow collection; null when it shares them with something else. */
export function flowLines(source: SourceText, member: Member): FlowLines | null {
  const lines = entryLines(source, member);
  if (lines === null) return null;
  const end = source.lineEnd(member.end);
  const rest = source.text.slice(member.end, end).trimStart();
  const hasComma = rest.startsWith(',');
  const behind = rest.slice(hasComma ? 1 : 0);
  const at = end - behind.trimStart().length;
  if (behind.trim() !== '' && !source.isComment(at)) return null;
  return { start: lines.start, end, hasComma };
}
