/** `Read, Bash(git diff, git log) Grep` as single names: commas and spaces part them, but not within brackets. */
export function splitToolList(text: string): string[] {
  const names: string[] = [];
  let current = '';
  let depth = 0;
  for (const character of text) {
    if (depth === 0 && /[\s,]/.test(character)) {
      names.push(current);
      current = '';
      continue;
    }
    if (character === '(') depth++;
    else if (character === ')') depth = Math.max(0, depth - 1);
    current += character;
  }
  return [...names, current.trim()].filter((name) => name !== '');
}
