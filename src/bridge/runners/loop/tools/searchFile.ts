import { fileText } from './fileText.ts';
import type { OpenedFile } from './openFile.ts';
import type { SearchPattern } from './searchPattern.ts';
import type { TimedWork } from './timedWork.ts';

/** For one piece of a file; a piece takes a few milliseconds. */
const REGEX_LIMIT_MS = 2_000;
/** A longer line is searched in parts of this length. */
const MAX_LINE_LENGTH = 256 * 1024;
/** As git tells text from other files. */
const LOOK_CHARS = 8_000;
const SHOWN_LENGTH = 240;
const SHOWN_BEFORE = 60;

export interface FoundLine {
  readonly line: number;
  /** The line, or the part of it around the place. */
  readonly text: string;
}

/** Searches an open file line by line and hands each line found to `onFound`, until that returns false. */
export async function searchFile(
  file: OpenedFile,
  search: {
    readonly pattern: SearchPattern;
    readonly timed: TimedWork;
    readonly maxBytes: number;
    readonly isOver: () => boolean;
    readonly onFound: (found: FoundLine) => boolean;
  },
): Promise<'searched' | 'binary' | 'too_slow'> {
  const { regex, isLinear } = search.pattern;
  let line = 1;
  let rest = '';
  const searchLines = (lines: readonly string[]): 'go_on' | 'enough' | 'too_slow' => {
    const work = () =>
      lines.flatMap((text, index) => {
        const found = regex.exec(text);
        return found === null ? [] : [{ line: line + index, text: shownPart(text, found.index) }];
      });
    const done = isLinear ? { result: work() } : search.timed.run(REGEX_LIMIT_MS, work);
    if (done === null) return 'too_slow';
    return done.result.every((found) => search.onFound(found)) ? 'go_on' : 'enough';
  };
  let isFirst = true;
  for await (const text of fileText(file, search.maxBytes)) {
    if (search.isOver()) return 'searched';
    if (isFirst && text.slice(0, LOOK_CHARS).includes('\0')) return 'binary';
    isFirst = false;
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    const isLong = rest.length > MAX_LINE_LENGTH;
    const step = searchLines([...lines.map(withoutReturn), ...(isLong ? [rest] : [])]);
    if (step !== 'go_on') return step === 'enough' ? 'searched' : step;
    line += lines.length;
    if (isLong) rest = '';
  }
  return rest !== '' && searchLines([withoutReturn(rest)]) === 'too_slow' ? 'too_slow' : 'searched';
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

function shownPart(line: string, at: number): string {
  if (line.length <= SHOWN_LENGTH) return line;
  const start = Math.max(0, Math.min(at - SHOWN_BEFORE, line.length - SHOWN_LENGTH));
  const part = line.slice(start, start + SHOWN_LENGTH);
  return `${start > 0 ? '…' : ''}${part}${start + SHOWN_LENGTH < line.length ? '…' : ''}`;
}
