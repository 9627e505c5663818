import { sanitiseText } from '../base/sanitise.ts';
import { applySplice, type Splice } from '../base/splice.ts';

export interface FileChange {
  readonly file: string;
  readonly beforeSha256: string | null;
  readonly splice: Splice | null;
}

const CONTEXT_LINES = 2;
/** A longer line shows nothing: then the changed part of it is shown alone. */
const MAX_LINE = 240;
const MAX_PIECE = 2_000;

/**
 * What will happen to a file, as a diff for a terminal.
 * @param before its text now; empty when it is not there
 */
export function formatFileChange(
  { file, beforeSha256, splice }: FileChange,
  before: string,
): string {
  if (splice === null) return `${clean(file)}: removed`;
  const { start, deleteCount, insert } = splice;
  const head = `${clean(file)}: ${beforeSha256 === null ? 'new' : 'changed'}`;
  const after = applySplice(before, splice);
  const from = lineStart(before, start);
  const old = before.slice(from, lineEnd(before, start + deleteCount));
  const fresh = after.slice(from, lineEnd(after, start + insert.length));
  const isLong = [old, fresh].some((text) =>
    text.split('\n').some((line) => line.length > MAX_LINE),
  );
  if (isLong && beforeSha256 !== null) {
    return [
      `${head} at character ${start + 1}`,
      ...marked('-', before.slice(start, start + deleteCount)),
      ...marked('+', insert),
    ].join('\n');
  }
  return [
    head,
    ...before
      .slice(0, from)
      .split('\n')
      .slice(-CONTEXT_LINES - 1, -1)
      .map((line) => ` ${clean(line)}`),
    ...marked('-', old),
    ...marked('+', fresh),
    ...before
      .slice(lineEnd(before, start + deleteCount))
      .split('\n')
      .slice(1, CONTEXT_LINES + 1)
      .map((line) => ` ${clean(line)}`),
  ].join('\n');
}

function marked(mark: string, text: string): string[] {
  if (text === '') return [];
  const lines = text.replace(/\n$/, '').split('\n');
  return lines.map((line) => `${mark}${clean(line)}`);
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end;
}

function clean(text: string): string {
  return sanitiseText(text.replace(/\r$/, ''), MAX_PIECE);
}
