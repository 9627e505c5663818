/** The name that was probably meant, or null. Only the first 40 characters are compared, so it stays cheap. */
export function closestName(typed: string, names: readonly string[]): string | null {
  const wanted = normalise(typed);
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const name of names) {
    const distance = editDistance(wanted, normalise(name));
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best === typed ? null : best;
}

function normalise(name: string): string {
  return name
    .slice(0, 40)
    .toLowerCase()
    .replace(/[-.\s]/g, '_');
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let value = Math.min(at(previous, j) + 1, at(row, j - 1) + 1, at(previous, j - 1) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        value = Math.min(value, at(before, j - 2) + 1);
      }
      row.push(value);
    }
    before = previous;
    previous = row;
  }
  return at(previous, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
