import type { EffectiveConfig } from '../../config/schema.ts';
import { readHealth } from '../routing/endpointHealth.ts';
import type { StoredJob } from './jobRow.ts';
import type { JobStore } from './jobStore.ts';
import { failoverOf } from './failoverOf.ts';
import { limitBlocks } from './limitBlocks.ts';
import { limitsOf, limitsOfPlace } from './limitsOf.ts';
import { LIVE_STATUSES } from './status.ts';
import { withStandIn } from './withStandIn.ts';

/**
 * Moves a job that runs, and whose endpoint has failed, to the first member of its chain that has room at this moment; nobody waits
 * here, and nobody who waits for that pool is passed. Null: there is none, or `failover.when` does not name errors. The job as it is
 * returned has the new endpoint, model and limits, and what failed is among its attempts.
 */
export function moveToStandIn(
  store: JobStore,
  jobId: string,
  config: EffectiveConfig,
  why: { readonly reason: string; readonly failure: StoredJob['record']['failure'] },
  now: Date,
): StoredJob | null {
  return store.transaction(() => {
    const job = store.find(jobId);
    const failover = job === null ? null : failoverOf(job, config);
    if (job === null || failover?.insteadOf.has('cooldown') !== true) return null;
    const running = store
      .inOrder(LIVE_STATUSES)
      .filter((other) => other.seq !== job.seq)
      .map((other) => ({ id: other.record.id, limits: limitsOf(other, config) }));
    const poolsWaitedFor = new Set(
      store.inOrder(['queued']).map((waiting) => limitsOf(waiting, config).pool),
    );
    const health = readHealth(store, now.getTime());
    const member = failover.members.find((each) => {
      const limits = limitsOfPlace(each, config);
      const isFree = limitBlocks(limits, running, health.get(each.endpoint)).length === 0;
      return isFree && !poolsWaitedFor.has(limits.pool);
    });
    if (member === undefined) return null;
    const { endpoint } = job.record;
    const attempt = { endpoint, model: job.spec.servedModel, failure: why.failure };
    const { record, spec } = withStandIn(job, member, why.reason);
    store.update(jobId, () => ({ ...record, attempts: [...record.attempts, attempt] }), { spec });
    return store.find(jobId);
  });
}
