import { isScalar, type Node } from 'yaml';
import type { Data } from './data.ts';
import { entryEnd } from './entryLines.ts';
import { type Collection, isCollection, type Member } from './members.ts';
import { isRefusal, type Refusal, refuse } from './refusal.ts';
import type { SourceText } from './sourceText.ts';
import { styleAt } from './styleAt.ts';
import type { TextReplacement } from './textReplacement.ts';
import { valueText } from './valueText.ts';

/** Writes another value at an entry. The comment on its line stays. */
export function replaceValue(
  source: SourceText,
  collection: Collection,
  member: Member,
  value: Data,
  isSafe: boolean,
): TextReplacement[] | Refusal {
  const style = styleAt(source, collection, member.value, isSafe);
  const { inline, below } = valueText(value, { ...style, indent: source.column(member.start) });
  const old = oldValue(source, member);
  if (isRefusal(old)) return old;
  const found: TextReplacement[] = [];
  if (old.inline === null) {
    if (!member.isOpen) {
      if (collection.flow !== true) return refuse('The key has no ":".');
      found.push({ start: member.slot, end: member.slot, newText: `: ${inline}` });
    } else if (inline !== '') {
      found.push({ start: member.slot, end: member.slot, newText: ` ${inline}` });
    }
  } else if (inline !== '') found.push({ ...old.inline, newText: inline });
  else {
    const isBehindSpace = source.text.slice(member.slot, old.inline.start).trim() === '';
    found.push({
      start: isBehindSpace ? member.slot : old.inline.start,
      end: old.inline.end,
      newText: '',
    });
  }
  const lines = linesText(source, old.below.start, below);
  if (lines !== '' || old.below.start < old.below.end) found.push({ ...old.below, newText: lines });
  return found;
}

/** Lines to stand at an offset where a line begins, or at the end of a text without a last line break. */
export function linesText(source: SourceText, offset: number, lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const eol = source.eolAt(offset);
  const isOpenLine = offset > 0 && source.lineStart(offset) !== offset;
  return (isOpenLine ? eol : '') + lines.map((line) => line + eol).join('');
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** What the old value takes up: on the line of its key, and below it. */
function oldValue(
  source: SourceText,
  member: Member,
): { readonly inline: Range | null; readonly below: Range } | Refusal {
  const node: Node | null = member.value;
  if (isCollection(node) && node.flow !== true) {
    const start = source.lineEnd(member.slot);
    const [first] = node.range ?? [start];
    if (first < start) return refuse('It begins on the line of its "-" or "?".');
    return { inline: null, below: { start, end: entryEnd(source, member) } };
  }
  const [start, end] = node?.range ?? [member.slot, member.slot];
  if (start === end) {
    const after = entryEnd(source, member);
    return { inline: null, below: { start: after, end: after } };
  }
  const token = node?.srcToken;
  if (isScalar(node) && token?.type === 'block-scalar') {
    const header = token.props.find((each) => each.type === 'block-scalar-header');
    const headerEnd =
      start + (header !== undefined && 'source' in header ? header.source.length : 1);
    return {
      inline: { start, end: headerEnd },
      below: { start: Math.min(source.lineEnd(headerEnd), end), end },
    };
  }
  const after = source.lineEnd(end);
  return { inline: { start, end }, below: { start: after, end: after } };
}
