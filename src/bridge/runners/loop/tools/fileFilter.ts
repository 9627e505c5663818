import { relative, isAbsolute, sep } from 'node:path';
import { expandBraces } from './braces.ts';
import { pathGlob, type PathTest } from './pathGlob.ts';
import { ToolRefusal } from './toolRefusal.ts';

const MAX_LENGTH = 1_000;

/**
 * The test of a `glob` argument over paths below `start`. Without a `/` it is for names at any depth, as in `*.ts`.
 * @throws ToolRefusal when it cannot be one
 */
export function fileFilter(root: string, start: string, pattern: string): PathTest {
  let wanted = pattern.replace(/^(\.\/)+/, '');
  let base = start === '.' ? '' : `${start}/`;
  if (isAbsolute(wanted)) {
    wanted = relative(root, wanted).split(sep).join('/');
    base = '';
  }
  if (wanted.length > MAX_LENGTH) {
    throw new ToolRefusal(`The pattern has more than ${MAX_LENGTH} characters.`);
  }
  if (wanted === '') throw new ToolRefusal('The pattern is empty; "**" stands for all files.');
  if (wanted.split('/').includes('..')) {
    throw new ToolRefusal('A pattern cannot lead out of its folder; use "path" for the folder.');
  }
  const alternatives = expandBraces(wanted);
  if (alternatives === null) throw new ToolRefusal('The pattern has too many alternatives in {}.');
  const tests = alternatives.map((each) => pathGlob(each.includes('/') ? each : `**/${each}`));
  return (path) => path.startsWith(base) && tests.some((test) => test(path.slice(base.length)));
}
