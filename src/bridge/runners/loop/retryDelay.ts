const BASES_MS = [1_000, 2_000, 4_000, 8_000];
const LONGEST_RETRY_AFTER_S = 120;
const LONGEST_JITTER_MS = 5_000;

/**
 * How long to wait before the next attempt. With Retry-After never earlier than the server said, and at most 25 % or 5 s later, so that
 * jobs which were turned away together do not come back together; without it 1, 2, 4, 8 s, each shortened by up to a half.
 * @param failed how many attempts have failed, from 1
 * @param random from 0 to below 1
 */
export function retryDelayMs(failed: number, retryAfterS: number | null, random: number): number {
  if (retryAfterS !== null) {
    const waitMs = Math.min(Math.max(retryAfterS, 0), LONGEST_RETRY_AFTER_S) * 1_000;
    return waitMs + random * Math.min(waitMs / 4, LONGEST_JITTER_MS);
  }
  const baseMs = BASES_MS[Math.min(Math.max(failed, 1), BASES_MS.length) - 1] ?? 8_000;
  return baseMs / 2 + (random * baseMs) / 2;
}
