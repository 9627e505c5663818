const MAX_LINES = 20_000;
const MAX_LINE_LENGTH = 200;
const CONTEXT_LINES = 2;
const LEAST_LIKENESS = 0.5;

/**
 * Where a text that was not found may be meant: the place whose line is most like its longest line, with the lines around it
 * and their numbers. Null when nothing is like it.
 */
export function nearestLines(text: string, wanted: string): string | null {
  const wantedLines = wanted.split(/\r?\n/);
  const longest = wantedLines.reduce(
    (best, line, index) =>
      line.trim().length > (wantedLines[best] ?? '').trim().length ? index : best,
    0,
  );
  const target = plain(wantedLines[longest] ?? '');
  if (target === '') return null;
  const targetPairs = pairsOf(target);
  const lines = text.split(/\r?\n/, MAX_LINES);
  let best = { index: -1, likeness: 0 };
  for (const [index, line] of lines.entries()) {
    const likeness = likenessOf(target, targetPairs, plain(line));
    if (likeness > best.likeness) best = { index, likeness };
    if (likeness === 1) break;
  }
  if (best.likeness < LEAST_LIKENESS) return null;
  const first = Math.max(0, best.index - longest - CONTEXT_LINES);
  const last = best.index + (wantedLines.length - 1 - longest) + CONTEXT_LINES;
  return lines
    .slice(first, Math.min(last, first + 20) + 1)
    .map((line, index) => `${first + index + 1}\t${line.slice(0, MAX_LINE_LENGTH)}`)
    .join('\n');
}

/** White space is what models get wrong most: it does not count. */
function plain(line: string): string {
  return line.slice(0, MAX_LINE_LENGTH).replace(/\s+/g, ' ').trim();
}

function pairsOf(text: string): Map<string, number> {
  const pairs = new Map<string, number>();
  for (let at = 0; at + 1 < text.length; at += 1) {
    const pair = text.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

/** 1: the same; 0: no two neighbouring characters in common (Dice's coefficient). */
function likenessOf(
  target: string,
  targetPairs: ReadonlyMap<string, number>,
  line: string,
): number {
  if (line === target) return 1;
  const total = target.length + line.length - 2;
  // A line of very different length cannot be like it.
  if (total <= 0 || (2 * (Math.min(target.length, line.length) - 1)) / total < LEAST_LIKENESS)
    return 0;
  let common = 0;
  for (const [pair, count] of pairsOf(line)) common += Math.min(count, targetPairs.get(pair) ?? 0);
  return Math.min(0.99, (2 * common) / total);
}
