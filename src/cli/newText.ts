/** How much of the end of the older text is looked for: enough to be unique in a log. */
const ANCHOR_LENGTH = 2_000;

/** What `later` has behind the end of `earlier`; both are tails, of any length, of one text that only grows. */
export function newText(earlier: string, later: string): string {
  if (earlier === '') return later;
  const known = earlier.slice(-ANCHOR_LENGTH);
  const at = later.lastIndexOf(known);
  // Not there: so much was written that the end we knew has left the tail.
  return at === -1 ? later : later.slice(at + known.length);
}
