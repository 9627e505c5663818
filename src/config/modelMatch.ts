/** How well a name fits a pattern: -1 not at all, else the number of literal characters; an exact name beats every glob. */
export function globScore(pattern: string, name: string): number {
  if (!pattern.includes('*') && !pattern.includes('?')) return pattern === name ? Infinity : -1;
  return matchesGlob(pattern, name) ? pattern.replace(/[*?]/g, '').length : -1;
}

/** `*` any characters, `?` one; linear in the product of the lengths, whatever the pattern. */
function matchesGlob(pattern: string, name: string): boolean {
  let p = 0;
  let star = -1;
  let retry = 0;
  for (let n = 0; n < name.length;) {
    if (pattern[p] === '*') {
      star = p++;
      retry = n;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === name[n])) {
      p++;
      n++;
    } else if (star >= 0) {
      p = star + 1;
      n = ++retry;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}
