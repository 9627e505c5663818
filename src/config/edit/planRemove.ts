import { isSeq } from 'yaml';
import { entryLines } from './entryLines.ts';
import { flowLines } from './flowLines.ts';
import { type Member } from './members.ts';
import { memberOf, type Place, type Step } from './place.ts';
import { type Refusal, refuse } from './refusal.ts';
import type { SourceText } from './sourceText.ts';
import type { TextReplacement } from './textReplacement.ts';

/** Takes an entry away with its own comments. A group or list that is left without any becomes `{}` or `[]`. */
export function planRemove(source: SourceText, place: Place): TextReplacement[] | Refusal {
  const step = place.steps.at(-1);
  if (step === undefined) return refuse('The whole file is not taken away.');
  const holder = place.steps.at(-2);
  const member = memberOf(step);
  if (step.collection.flow === true) return removeFromFlow(source, step, member);
  const lines = entryLines(source, member);
  if (lines === null) return removeFirstOnLine(step, member);
  const removed = { ...lines, newText: '' };
  if (step.members.length > 1 || holder === undefined) return [removed];
  const { slot } = memberOf(holder);
  const empty = isSeq(step.collection) ? ' []' : ' {}';
  return [{ start: slot, end: slot, newText: empty }, removed];
}

/** The first key of a group that is an item of a list: the next key takes its place behind the "-". */
function removeFirstOnLine(step: Step, member: Member): TextReplacement[] | Refusal {
  const next = step.members[step.index + 1];
  if (next === undefined) return refuse('It begins on the line of another entry.');
  return [{ start: member.start, end: next.start, newText: '' }];
}

function removeFromFlow(source: SourceText, step: Step, member: Member): TextReplacement[] {
  const next = step.members[step.index + 1];
  const previous = step.members[step.index - 1];
  if (next === undefined && previous === undefined) {
    const [start, end] = step.collection.range ?? [member.start, member.end];
    const inside = source.text.slice(start + 1, end - 1);
    const isBare = !hasComment(source, start + 1, end - 1);
    return isBare
      ? [{ start: start + 1, end: start + 1 + inside.length, newText: '' }]
      : [{ start: member.start, end: member.end, newText: '' }];
  }
  const lines = flowLines(source, member);
  if (lines !== null) {
    const removed = { ...lines, newText: '' };
    if (next !== undefined || previous === undefined || lines.hasComma) return [removed];
    const comma = source.text.indexOf(',', previous.end);
    return [{ start: comma, end: comma + 1, newText: '' }, removed];
  }
  if (next !== undefined) return [{ start: member.start, end: next.start, newText: '' }];
  return [{ start: previous?.end ?? member.start, end: member.end, newText: '' }];
}

function hasComment(source: SourceText, start: number, end: number): boolean {
  for (let at = source.text.indexOf('#', start); at >= 0 && at < end;) {
    if (source.isComment(at)) return true;
    at = source.text.indexOf('#', at + 1);
  }
  return false;
}
