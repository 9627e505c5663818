/** What `later` has behind the end of `earlier`; both are the last lines, at most as many, of one text that only grows. */
export function newLines(earlier: readonly string[], later: readonly string[]): readonly string[] {
  for (let dropped = 0; dropped < earlier.length; dropped++) {
    const common = earlier.length - dropped;
    if (common > later.length) continue;
    if (isSame(earlier, dropped, later, common)) return later.slice(common);
  }
  // Nothing of it is left: so much was written that the end we knew has gone.
  return later;
}

function isSame(
  earlier: readonly string[],
  dropped: number,
  later: readonly string[],
  common: number,
): boolean {
  for (let index = 0; index < common; index++) {
    if (earlier[dropped + index] !== later[index]) return false;
  }
  return true;
}
