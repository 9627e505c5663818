import { sanitiseLine } from '../base/sanitise.ts';
import type { TextReplacement } from '../config/edit/textReplacement.ts';

const CONTEXT_LINES = 3;
const MAX_LINE = 500;

interface Hunk {
  /** Lines of the text before, from 0; `end` is not among them. */
  readonly start: number;
  end: number;
  /** Lines of the text after. */
  newStart: number;
  newEnd: number;
}

export interface ConfigDiffOptions {
  readonly file: string;
  readonly isNew: boolean;
  /** Applied to every line: keys that stand in the file already are not for a terminal. */
  readonly redact: (line: string) => string;
}

/** Changes of a text as a unified diff; empty when there are none. */
export function formatConfigDiff(
  before: string,
  after: string,
  replacements: readonly TextReplacement[],
  { file, isNew, redact }: ConfigDiffOptions,
): string {
  const oldLines = linesOf(before);
  const newLines = linesOf(after);
  const hunks = hunksOf(before, after, replacements, { oldLines, newLines });
  if (hunks.length === 0) return '';
  const line = (mark: string, text = ''): string =>
    `${mark}${sanitiseLeaving(redact(text.replace(/\r?\n$/, '')))}`;
  return [
    isNew ? '--- /dev/null' : `--- ${sanitiseLine(file, MAX_LINE)}`,
    `+++ ${sanitiseLine(file, MAX_LINE)}`,
    ...withContext(hunks, oldLines.length).flatMap(({ start, end, own }) => {
      const first = own[0];
      const last = own.at(-1);
      if (first === undefined || last === undefined) return [];
      const newFrom = first.newStart - (first.start - start);
      const newTo = last.newEnd + (end - last.end);
      const rows: string[] = [];
      let at = start;
      for (const hunk of own) {
        for (; at < hunk.start; at++) rows.push(line(' ', oldLines[at]));
        for (; at < hunk.end; at++) rows.push(line('-', oldLines[at]));
        for (let n = hunk.newStart; n < hunk.newEnd; n++) rows.push(line('+', newLines[n]));
      }
      for (; at < end; at++) rows.push(line(' ', oldLines[at]));
      return [`@@ -${span(start, end)} +${span(newFrom, newTo)} @@`, ...rows];
    }),
  ].join('\n');
}

/** Whole lines, without those at the edges that are the same before and after. */
function hunksOf(
  before: string,
  after: string,
  replacements: readonly TextReplacement[],
  { oldLines, newLines }: { oldLines: readonly string[]; newLines: readonly string[] },
): Hunk[] {
  const hunks: Hunk[] = [];
  let shift = 0;
  for (const { start, end, newText } of replacements) {
    // A search before the start of the text would look at its first character.
    const from = start === 0 ? 0 : before.lastIndexOf('\n', start - 1) + 1;
    const newFrom = from + shift;
    shift += newText.length - (end - start);
    // A line that only ends is not part of it, unless what follows has come to stand on a line with something new.
    const isWhole = isLineStart(before, end) && isLineStart(after, end + shift);
    const to = isWhole ? end : lineEnd(before, end);
    const next: Hunk = {
      start: lineAt(before, from),
      end: lineAt(before, to),
      newStart: lineAt(after, newFrom),
      newEnd: lineAt(after, to + shift),
    };
    const last = hunks.at(-1);
    if (last !== undefined && next.start < last.end) {
      // The later one knows how far all of them have moved what follows.
      last.end = next.end;
      last.newEnd = next.newEnd;
    } else hunks.push(next);
  }
  return hunks
    .map((hunk) => trimmed(hunk, oldLines, newLines))
    .filter(({ start, end, newStart, newEnd }) => start < end || newStart < newEnd);
}

function trimmed(hunk: Hunk, oldLines: readonly string[], newLines: readonly string[]): Hunk {
  let { start, end, newStart, newEnd } = hunk;
  while (start < end && newStart < newEnd && oldLines[start] === newLines[newStart]) {
    start++;
    newStart++;
  }
  while (start < end && newStart < newEnd && oldLines[end - 1] === newLines[newEnd - 1]) {
    end--;
    newEnd--;
  }
  return { start, end, newStart, newEnd };
}

/** Hunks whose surroundings touch are shown as one. */
function withContext(
  hunks: readonly Hunk[],
  lineCount: number,
): { start: number; end: number; own: Hunk[] }[] {
  const shown: { start: number; end: number; own: Hunk[] }[] = [];
  for (const hunk of hunks) {
    const start = Math.max(0, hunk.start - CONTEXT_LINES);
    const end = Math.min(lineCount, hunk.end + CONTEXT_LINES);
    const last = shown.at(-1);
    if (last !== undefined && start <= last.end) {
      last.own.push(hunk);
      last.end = end;
    } else shown.push({ start, end, own: [hunk] });
  }
  return shown;
}

/** Each with its line end, so that a last line without one differs from one with it. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** How many lines begin before an offset that is the start of a line or the end of the text. */
function lineAt(text: string, offset: number): number {
  let line = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line + (isLineStart(text, offset) ? 0 : 1);
}

function isLineStart(text: string, offset: number): boolean {
  return offset === 0 || text[offset - 1] === '\n';
}

/** Offset after the line that an offset is on. */
function lineEnd(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  return at < 0 ? text.length : at + 1;
}

/** As diff(1) writes it: the first line, and how many. */
function span(start: number, end: number): string {
  const count = end - start;
  return `${count === 0 ? start : start + 1},${count}`;
}

/** The indentation of YAML means something, so that only what could harm a terminal goes. */
function sanitiseLeaving(text: string): string {
  const indent = /^[ \t]*/.exec(text)?.[0] ?? '';
  const rest = text.slice(indent.length);
  // eslint-disable-next-line no-control-regex -- what could harm a terminal
  const isPlain = !/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f]/.test(rest);
  const shown = isPlain && rest.length <= MAX_LINE ? rest : sanitiseLine(rest, MAX_LINE);
  return indent + shown;
}
