const MAX_ALTERNATIVES = 200;

/** `a.{js,ts}` as `a.js` and `a.ts`, nested ones too; null when it would be more than 200. A brace without a comma stays. */
export function expandBraces(pattern: string): string[] | null {
  let open: string[] = [pattern];
  const done: string[] = [];
  while (open.length > 0) {
    const next: string[] = [];
    for (const text of open) {
      const found = innermost(text);
      if (found === null) done.push(text);
      else {
        const { start, end } = found;
        for (const choice of text.slice(start + 1, end).split(',')) {
          next.push(text.slice(0, start) + choice + text.slice(end + 1));
        }
      }
    }
    if (next.length + done.length > MAX_ALTERNATIVES) return null;
    open = next;
  }
  return [...new Set(done)];
}

function innermost(text: string): { readonly start: number; readonly end: number } | null {
  const found = /\{([^{}]*,[^{}]*)\}/.exec(text);
  return found === null ? null : { start: found.index, end: found.index + found[0].length - 1 };
}
