import type { JobStore } from '../jobs/jobStore.ts';
import {
  type Breaker,
  breakerAfterFailure,
  breakerState,
  type BreakerState,
  CLOSED_BREAKER,
} from './circuitBreaker.ts';

/**
 * `connect`: no answer at all; `server_error`: 5xx; `rate_limited`: 429 or 529, which says that the server is well but has enough.
 */
export interface EndpointFailure {
  readonly kind: 'connect' | 'server_error' | 'rate_limited';
  /** What the server asked for; null: nothing. */
  readonly retryAfterS: number | null;
  /** The limit is one of this model alone, as behind a gateway; left out: of the whole endpoint. */
  readonly model?: string;
}

export interface EndpointHealth {
  readonly breaker: BreakerState;
  readonly failures: number;
  /** Until when nothing is sent there; null: not so. */
  readonly pausedUntilMs: number | null;
  readonly reason: string | null;
  /** The job that tries a half-open endpoint. */
  readonly probeJob: string | null;
  /** Models that cool down alone, with the end of it. */
  readonly coolingModels: ReadonlyMap<string, number>;
}

export const WELL: EndpointHealth = {
  breaker: 'closed',
  failures: 0,
  pausedUntilMs: null,
  reason: null,
  probeJob: null,
  coolingModels: new Map(),
};

const FACT_PREFIX = 'breaker:';
/** For a server that says "too many" and not until when. */
const UNSAID_COOLDOWN_S = 10;
const LONGEST_COOLDOWN_S = 3_600;

const REASONS: Readonly<Record<EndpointFailure['kind'], string>> = {
  connect: 'it does not answer',
  server_error: 'it answers with server errors',
  rate_limited: 'it says that it has too many requests',
};

/**
 * Notes that a request to an endpoint failed for good, after whoever sent it had tried what it could. A stated pause is a cool-down of
 * the endpoint, or of the one model; failures that are no rate limit count for its breaker.
 */
export function noteEndpointFailure(
  store: JobStore,
  endpoint: string,
  failure: EndpointFailure,
  now: Date,
): void {
  const nowMs = now.getTime();
  const reason = REASONS[failure.kind];
  const { retryAfterS, kind, model } = failure;
  const pauseS = retryAfterS ?? (kind === 'rate_limited' ? UNSAID_COOLDOWN_S : 0);
  store.transaction(() => {
    if (pauseS > 0) {
      const scope = cooldownScope(endpoint, model ?? null);
      const untilMs = nowMs + Math.min(pauseS, LONGEST_COOLDOWN_S) * 1000;
      // A shorter pause, stated later to another request, does not end a longer one.
      const present = store.cooldowns(nowMs).get(scope)?.untilMs ?? 0;
      if (untilMs > present) store.setCooldown(scope, untilMs, reason);
    }
    if (kind === 'rate_limited') return;
    const before = readBreaker(store, endpoint);
    const after = breakerAfterFailure(before, reason, nowMs);
    if (after !== before) writeBreaker(store, endpoint, after, now);
  });
}

/** Closes the breaker of an endpoint that has answered. A stated pause stays. */
export function noteEndpointSuccess(store: JobStore, endpoint: string, now: Date): void {
  if (readBreaker(store, endpoint).failures === 0) return;
  store.transaction(() => writeBreaker(store, endpoint, CLOSED_BREAKER, now));
}

/** Says which job tries a half-open endpoint. */
export function noteProbeJob(store: JobStore, endpoint: string, jobId: string, now: Date): void {
  store.transaction(() => {
    const breaker = readBreaker(store, endpoint);
    writeBreaker(store, endpoint, { ...breaker, probeJob: jobId }, now);
  });
}

/** Every endpoint about which there is something to say; of the others all is well. */
export function readHealth(store: JobStore, nowMs: number): Map<string, EndpointHealth> {
  const health = new Map<string, EndpointHealth>();
  for (const [key, value] of store.factsUnder(FACT_PREFIX)) {
    const breaker = JSON.parse(value) as Breaker;
    if (breaker.failures === 0) continue;
    const state = breakerState(breaker, nowMs);
    health.set(key.slice(FACT_PREFIX.length), {
      ...WELL,
      breaker: state,
      failures: breaker.failures,
      pausedUntilMs: state === 'open' ? breaker.openUntilMs : null,
      reason: breaker.reason,
      probeJob: breaker.probeJob,
    });
  }
  for (const [scope, { untilMs, reason }] of store.cooldowns(nowMs)) {
    const [endpoint = '', model] = scope.split(SCOPE_SEPARATOR);
    const present = health.get(endpoint) ?? WELL;
    health.set(
      endpoint,
      model === undefined
        ? { ...present, pausedUntilMs: Math.max(untilMs, present.pausedUntilMs ?? 0), reason }
        : { ...present, coolingModels: new Map([...present.coolingModels, [model, untilMs]]) },
    );
  }
  return health;
}

const SCOPE_SEPARATOR = '\n';

function cooldownScope(endpoint: string, model: string | null): string {
  return model === null ? endpoint : `${endpoint}${SCOPE_SEPARATOR}${model}`;
}

function readBreaker(store: JobStore, endpoint: string): Breaker {
  const fact = store.fact(FACT_PREFIX + endpoint);
  return fact === null ? CLOSED_BREAKER : (JSON.parse(fact.value) as Breaker);
}

function writeBreaker(store: JobStore, endpoint: string, breaker: Breaker, now: Date): void {
  store.setFact(FACT_PREFIX + endpoint, JSON.stringify(breaker), now);
}
