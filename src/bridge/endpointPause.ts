import { type EndpointHealth, readHealth } from './routing/endpointHealth.ts';
import type { JobStore } from './jobs/jobStore.ts';

/** Why jobs for an endpoint wait although it has places, as clients see it. */
export interface EndpointPause {
  /** `paused`: nothing is sent there; `trying`: one job at a time finds out whether it is well again; `partly`: only some models. */
  readonly state: 'paused' | 'trying' | 'partly';
  /** Until it may be asked again; null: it may be. */
  readonly forS: number | null;
  readonly reason: string;
  readonly models: readonly { readonly model: string; readonly forS: number }[];
}

/** Of the endpoints about which there is something to say, by name. */
export function endpointPauses(store: JobStore, now: Date): Map<string, EndpointPause> {
  const nowMs = now.getTime();
  return new Map(
    [...readHealth(store, nowMs)].flatMap(([name, health]) => {
      const pause = pauseOf(health, nowMs);
      return pause === null ? [] : [[name, pause] as const];
    }),
  );
}

function pauseOf(health: EndpointHealth, nowMs: number): EndpointPause | null {
  const secondsTo = (untilMs: number): number => Math.ceil((untilMs - nowMs) / 1000);
  const models = [...health.coolingModels].map(([model, untilMs]) => ({
    model,
    forS: secondsTo(untilMs),
  }));
  const { pausedUntilMs, breaker } = health;
  const reason = health.reason ?? 'it says that it has too many requests';
  if (pausedUntilMs !== null)
    return { state: 'paused', forS: secondsTo(pausedUntilMs), reason, models };
  if (breaker === 'half-open') return { state: 'trying', forS: null, reason, models };
  return models.length === 0 ? null : { state: 'partly', forS: null, reason, models };
}
