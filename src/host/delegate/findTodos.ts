/** A file with more of them is not read line by line either. */
const MAX_TODOS = 200;
const MAX_LINES = 20_000;
const MAX_LINE_LENGTH = 1_000;

/** A word after the mark of a comment of any usual language. In a text that is no comment it may be wrong now and then. */
const TODO =
  /(?:(?<!:)\/\/|\/\*|^\s*\*|(?:^|\s)#|(?:^|\s)--|(?:^|\s);|(?:^|\s)%|<!--).*?\b(?:TODO|FIXME)\b/;

/** Numbers of the lines, from 0, that have a TODO or FIXME in a comment. */
export function findTodos(lines: {
  readonly count: number;
  readonly lineAt: (index: number) => string;
}): number[] {
  const found: number[] = [];
  const last = Math.min(lines.count, MAX_LINES);
  for (let index = 0; index < last && found.length < MAX_TODOS; index++) {
    const line = lines.lineAt(index);
    if (line.length <= MAX_LINE_LENGTH && TODO.test(line)) found.push(index);
  }
  return found;
}

/** The comment's own words: `TODO: handle negative steps`. */
export function todoText(line: string): string {
  const from = line.search(/\b(?:TODO|FIXME)\b/);
  return line
    .slice(Math.max(0, from))
    .replace(/\s*(?:\*\/|-->)\s*$/, '')
    .trim();
}
