/** A round of admission comes every second: less would be no try at all. */
const LEAST_GRACE_MS = 1_000;

/**
 * Which member of a chain may have a waiting job now: first the model asked for is waited for, then each stand-in has its time in which
 * it may take a free place, then it is the turn of the model asked for again, for good. Null: no stand-in's turn.
 *
 * @param waitedMs since the job was first found to wait for a place that a stand-in has too
 */
export function failoverTurn(
  waitedMs: number,
  settings: { readonly primaryWaitMs: number; readonly graceMs: number },
  members: number,
): number | null {
  const sinceMs = waitedMs - settings.primaryWaitMs;
  if (sinceMs < 0) return null;
  const turn = Math.floor(sinceMs / Math.max(settings.graceMs, LEAST_GRACE_MS));
  return turn < members ? turn : null;
}
