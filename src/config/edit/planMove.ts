import { entryLines } from './entryLines.ts';
import { flowLines } from './flowLines.ts';
import { type Step } from './place.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { SourceText } from './sourceText.ts';
import type { TextReplacement } from './textReplacement.ts';

/** Moves an entry among its siblings. */
export function planMove(source: SourceText, step: Step, to: number): TextReplacement[] | Refusal {
  const from = step.index;
  const target = Math.min(to, step.members.length - 1);
  if (from === target) return [];
  return step.collection.flow === true
    ? moveInFlow(source, step, target)
    : moveLines(source, step, target);
}

/** In brackets the items change places, with their comments where each has lines of its own; the commas stay. */
function moveInFlow(source: SourceText, step: Step, target: number): TextReplacement[] {
  const { members, index: from } = step;
  const order = members
    .map((_, index) => index)
    .toSpliced(from, 1)
    .toSpliced(target, 0, from);
  const lines = members.map((member) => flowLines(source, member));
  const hasOwnLines = !lines.includes(null);
  return order.flatMap((other, slot) => {
    const here = members[slot];
    const moved = members[other];
    if (other === slot || here === undefined || moved === undefined) return [];
    const place = lines[slot];
    const own = lines[other];
    if (!hasOwnLines || !place || !own) {
      const newText = source.text.slice(moved.start, moved.end);
      return [{ start: here.start, end: here.end, newText }];
    }
    const rest = source.text.slice(moved.end, own.end);
    const behind = own.hasComma ? rest.slice(rest.indexOf(',') + 1) : rest;
    const item = source.text.slice(own.start, moved.end);
    return [
      { start: place.start, end: place.end, newText: item + (place.hasComma ? ',' : '') + behind },
    ];
  });
}

/** Whole lines are cut out and put in elsewhere; blank lines that stand between all entries go along. */
function moveLines(source: SourceText, step: Step, target: number): TextReplacement[] | Refusal {
  const entries = step.members.map((member) => entryLines(source, member));
  const from = step.index;
  const moved = entries[from];
  const before = entries[target];
  if (!moved || !before || entries.includes(null))
    return refuse('It begins on the line of another entry.');
  const gapBefore = (index: number) =>
    source.text.slice(entries[index - 1]?.end ?? 0, entries[index]?.start);
  const first = Math.min(from, target) + 1;
  const last = Math.max(from, target);
  const gap = gapBefore(first);
  let isEven = gap.trim() === '';
  for (let index = first; index <= last; index++) isEven &&= gapBefore(index) === gap;
  const carried = isEven ? gap : '';
  const body = source.text.slice(moved.start, moved.end);
  const eol = source.eolAt(moved.end);
  const line = (text: string) => (text.endsWith('\n') ? text : text + eol);
  if (target < from) {
    return [
      { start: before.start, end: before.start, newText: line(body) + carried },
      { start: moved.start - carried.length, end: moved.end, newText: '' },
    ];
  }
  const isOpen = !source.text.slice(before.start, before.end).endsWith('\n');
  const newText = isOpen ? eol + carried + body : carried + body;
  return [
    { start: moved.start, end: moved.end + carried.length, newText: '' },
    { start: before.end, end: before.end, newText },
  ];
}
