/** A text with diff3 markers, taken apart: lines that all agree on, and the places where two sides differ from the base. */
export type MarkedPart =
  | { readonly kind: 'agreed'; readonly lines: readonly string[] }
  | {
      readonly kind: 'conflict';
      readonly yours: readonly string[];
      readonly base: readonly string[];
      readonly job: readonly string[];
    };

/**
 * How many places of a merge nobody has decided about: markers that are left, and places that still read as before both changes. VS
 * Code's merge editor takes the markers out when it opens, puts the base's lines there, and lets one accept it like that.
 */
export function openConflicts(marked: string, result: string): number {
  const markers = linesOf(result).filter((line) => /^<{7}( |$)/.test(line)).length;
  if (markers > 0) return markers;
  const parts = readMarked(marked);
  const lines = linesOf(result);
  let open = 0;
  let at = 0;
  for (const [index, part] of parts.entries()) {
    if (part.kind === 'agreed') {
      const found = indexOfLines(lines, part.lines, at);
      // The agreed text around it was edited: somebody has worked on this.
      if (found < 0) return open;
      at = found + part.lines.length;
      continue;
    }
    const next = parts[index + 1];
    const after = next?.kind === 'agreed' ? next.lines : [];
    const end = at + part.base.length;
    const isAsBefore = startsWith(lines, part.base, at) && startsWith(lines, after, end);
    if (isAsBefore && (next !== undefined || end === lines.length)) {
      open += 1;
      at = end;
    } else {
      at = indexOfLines(lines, after, at);
      if (at < 0) return open;
    }
  }
  return open;
}

/** Takes a text with diff3 markers apart. Markers that do not belong together are text. */
export function readMarked(marked: string): MarkedPart[] {
  const lines = linesOf(marked);
  const parts: MarkedPart[] = [];
  let agreed: string[] = [];
  let at = 0;
  while (at < lines.length) {
    const conflict = conflictAt(lines, at);
    if (conflict === null) {
      agreed.push(lines[at] ?? '');
      at += 1;
      continue;
    }
    if (agreed.length > 0) parts.push({ kind: 'agreed', lines: agreed });
    agreed = [];
    parts.push(conflict.part);
    at = conflict.end;
  }
  if (agreed.length > 0) parts.push({ kind: 'agreed', lines: agreed });
  return parts;
}

function conflictAt(
  lines: readonly string[],
  start: number,
): { readonly part: MarkedPart; readonly end: number } | null {
  if (lines[start] !== '<<<<<<< yours') return null;
  const base = lines.indexOf('||||||| base', start);
  const middle = lines.indexOf('=======', base);
  const end = lines.indexOf('>>>>>>> job', middle);
  if (base < 0 || middle < 0 || end < 0) return null;
  return {
    part: {
      kind: 'conflict',
      yours: lines.slice(start + 1, base),
      base: lines.slice(base + 1, middle),
      job: lines.slice(middle + 1, end),
    },
    end: end + 1,
  };
}

function linesOf(text: string): string[] {
  return text.replace(/^\ufeff/, '').split(/\r\n|\n/);
}

function indexOfLines(lines: readonly string[], wanted: readonly string[], from: number): number {
  for (let at = from; at + wanted.length <= lines.length; at += 1)
    if (startsWith(lines, wanted, at)) return at;
  return -1;
}

function startsWith(lines: readonly string[], wanted: readonly string[], at: number): boolean {
  return at + wanted.length <= lines.length && wanted.every((line, n) => lines[at + n] === line);
}
