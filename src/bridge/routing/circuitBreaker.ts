/**
 * The breaker of one endpoint: after some failures in a row nothing is sent there for a while, then one job at a time tries, and the
 * first success closes it. Pure; the state lies in the store, so that all processes share it.
 */
export interface Breaker {
  /** In a row. */
  readonly failures: number;
  /** How often it has opened since the last success: the next pause is longer. */
  readonly opened: number;
  /** Null while it is closed. */
  readonly openUntilMs: number | null;
  /** The job that tries whether the endpoint is well again. */
  readonly probeJob: string | null;
  readonly reason: string;
}

export type BreakerState = 'closed' | 'open' | 'half-open';

const FAILURES_TO_OPEN = 3;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 120_000;

export const CLOSED_BREAKER: Breaker = {
  failures: 0,
  opened: 0,
  openUntilMs: null,
  probeJob: null,
  reason: '',
};

/** A failure while it is half-open opens it again; one of a request that was under way when it opened changes nothing. */
export function breakerAfterFailure(breaker: Breaker, reason: string, nowMs: number): Breaker {
  if (breakerState(breaker, nowMs) === 'open') return breaker;
  const failures = breaker.failures + 1;
  if (failures < FAILURES_TO_OPEN) return { ...breaker, failures, reason };
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** breaker.opened, LONGEST_PAUSE_MS);
  return {
    failures,
    opened: breaker.opened + 1,
    openUntilMs: nowMs + pauseMs,
    probeJob: null,
    reason,
  };
}

export function breakerState(breaker: Breaker, nowMs: number): BreakerState {
  if (breaker.openUntilMs === null) return 'closed';
  return nowMs < breaker.openUntilMs ? 'open' : 'half-open';
}
