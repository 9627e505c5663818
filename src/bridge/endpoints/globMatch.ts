/**
 * Shell globs over model names: `*` (also across `/`), `?`, `[seq]`, `[!seq]`; anything else stands
 * for itself. Case-sensitive.
 *
 * Not picomatch: patterns and names both come from strangers, and a pattern such as `*a*a*a*a*a*b`
 * makes a backtracking regular expression run for minutes. Here a star only ever remembers its last
 * place, so the work is at most pattern times name.
 */
export function globMatch(pattern: string, name: string): boolean {
  const parts = parseGlob(pattern);
  const chars = Array.from(name);
  let part = 0;
  let at = 0;
  let star = -1;
  let starAt = 0;
  while (at < chars.length) {
    const current = parts[part];
    if (current === STAR) {
      star = part++;
      starAt = at;
    } else if (current?.(chars[at] ?? '') === true) {
      part++;
      at++;
    } else if (star >= 0) {
      part = star + 1;
      at = ++starAt;
    } else {
      return false;
    }
  }
  while (parts[part] === STAR) part++;
  return part === parts.length;
}

export function hasGlob(pattern: string): boolean {
  return /[*?[]/.test(pattern);
}

type CharTest = (char: string) => boolean;
const STAR = Symbol('star');

function parseGlob(pattern: string): readonly (CharTest | typeof STAR)[] {
  const tokens = pattern.match(/\*+|\?|\[!?\]?[^\]]*\]|[^]/gu) ?? [];
  return tokens.map((token) => {
    if (token.startsWith('*')) return STAR;
    if (token === '?') return () => true;
    if (token.length > 2 && token.startsWith('[')) return charClass(token.slice(1, -1));
    return (char) => char === token;
  });
}

function charClass(body: string): CharTest {
  const isNegated = body.startsWith('!');
  const members = Array.from(isNegated ? body.slice(1) : body);
  const tests: CharTest[] = [];
  for (let at = 0; at < members.length; at++) {
    const from = members[at] ?? '';
    const to = members[at + 2];
    if (members[at + 1] === '-' && to !== undefined) {
      tests.push((char) => char >= from && char <= to);
      at += 2;
    } else {
      tests.push((char) => char === from);
    }
  }
  return (char) => tests.some((test) => test(char)) !== isNegated;
}
