import { globMatch } from '../../../endpoints/globMatch.ts';

export type PathTest = (path: string) => boolean;

const ANY = Symbol('any folders');
type Part = typeof ANY | ((name: string) => boolean);

/**
 * A glob over paths with `/`: `**` stands for any folders, at the end for everything below; within a name `*`, `?`, `[a-z]` and
 * `\` before a character that stands for itself. Matched without backtracking over names, so that no pattern takes long.
 */
export function pathGlob(pattern: string): PathTest {
  const parts = pattern.split('/').map(partOf);
  return (path) => matches(parts, path.split('/'));
}

function matches(parts: readonly Part[], names: readonly string[]): boolean {
  let part = 0;
  let at = 0;
  let star = -1;
  let starAt = 0;
  while (at < names.length) {
    const current = parts[part];
    if (current === ANY) {
      star = part++;
      starAt = at;
      if (part === parts.length) return true;
    } else if (current?.(names[at] ?? '') === true) {
      part++;
      at++;
    } else if (star >= 0) {
      part = star + 1;
      at = ++starAt;
    } else {
      return false;
    }
  }
  return part === parts.length;
}

function partOf(part: string): Part {
  if (part === '**') return ANY;
  const glob = part
    .replace(/\\([^])/g, (_, char: string) => (/[*?[]/.test(char) ? `[${char}]` : char))
    .replaceAll('[^', '[!');
  if (!/[*?[]/.test(glob)) return (name) => name === glob;
  const [, ending] = /^\*([^*?[]+)$/.exec(glob) ?? [];
  if (ending !== undefined) return (name) => name.endsWith(ending);
  return (name) => globMatch(glob, name);
}
