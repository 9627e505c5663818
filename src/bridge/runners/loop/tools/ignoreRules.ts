import { pathGlob, type PathTest } from './pathGlob.ts';

/** A longer one is nobody's, and would only take long to match. */
const MAX_RULE_LENGTH = 1_000;

/** One line of a .gitignore. */
export interface IgnoreRule {
  readonly matches: PathTest;
  readonly isNegated: boolean;
  readonly isForFoldersOnly: boolean;
}

/**
 * The rules of a .gitignore (gitignore(5)).
 * @param folder where it lies, from the work folder with `/`; `.` for the work folder itself
 */
export function ignoreRules(text: string, folder: string): IgnoreRule[] {
  return text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .flatMap((line) => ruleOf(line, folder === '.' ? '' : `${folder}/`));
}

function ruleOf(line: string, base: string): IgnoreRule[] {
  if (line.startsWith('#') || line.length > MAX_RULE_LENGTH) return [];
  let pattern = withoutTrailingSpaces(line);
  const isNegated = pattern.startsWith('!');
  if (isNegated) pattern = pattern.slice(1);
  const isForFoldersOnly = pattern.endsWith('/');
  if (isForFoldersOnly) pattern = pattern.slice(0, -1);
  if (pattern === '') return [];
  const isAnchored = pattern.includes('/');
  const test = pathGlob(isAnchored ? pattern.replace(/^\//, '') : `**/${pattern}`);
  const matches: PathTest = (path) => path.startsWith(base) && test(path.slice(base.length));
  return [{ matches, isNegated, isForFoldersOnly }];
}

/** Spaces at the end do not count, unless a backslash stands before them. */
function withoutTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ') end -= 1;
  return line.slice(0, line[end - 1] === '\\' ? end + 1 : end);
}

/** Whether the rules, those of outer folders first, ignore a path; that its folder is not ignored is for the caller to know. */
export function isIgnored(rules: readonly IgnoreRule[], path: string, isFolder: boolean): boolean {
  const last = rules.findLast((rule) => (isFolder || !rule.isForFoldersOnly) && rule.matches(path));
  return last !== undefined && !last.isNegated;
}
