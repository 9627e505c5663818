import { poolOf } from '../config/poolOf.ts';
import type { EffectiveConfig } from '../config/schema.ts';
import type { BridgeContext } from './bridgeContext.ts';
import { type EndpointPause, endpointPauses } from './endpointPause.ts';
import type { PoolView } from './bridgeTypes.ts';
import { repositoryTop } from './repositoryTop.ts';
import { LIVE_STATUSES } from './jobs/status.ts';

export interface SlotUse {
  /** Only those that have a job, or that jobs are kept from. */
  readonly endpoints: readonly {
    readonly name: string;
    readonly inUse: number;
    /** Null: nothing keeps jobs from it. */
    readonly pause: EndpointPause | null;
  }[];
  readonly pools: readonly PoolView[];
}

/** Places in use, from the store alone: no endpoint and no git is asked, since a view asks at every change. */
export function slotUse(context: BridgeContext, options: { cwd: string }): SlotUse {
  const { config } = context.loadConfig(repositoryTop(options.cwd));
  const counts = new Map<string, number>();
  for (const { record } of context.store.inOrder(LIVE_STATUSES)) {
    if (record.endpoint !== null)
      counts.set(record.endpoint, (counts.get(record.endpoint) ?? 0) + 1);
  }
  const pauses = endpointPauses(context.store, new Date());
  const names = new Set([...counts.keys(), ...pauses.keys()]);
  return {
    endpoints: [...names].map((name) => ({
      name,
      inUse: counts.get(name) ?? 0,
      pause: pauses.get(name) ?? null,
    })),
    pools: viewPools(context, config),
  };
}

export function viewPools(context: BridgeContext, config: EffectiveConfig): PoolView[] {
  const live = context.store.inOrder(LIVE_STATUSES);
  const queue = context.store.inOrder(['queued']);
  const names = new Set([...Object.keys(config.pools), 'default']);
  return [...names].map((name) => {
    const isIn = (model: string): boolean => poolOf(config.pools, model) === name;
    return {
      name,
      slots: config.pools[name]?.slots ?? 6,
      inUse: live.filter((job) => isIn(job.spec.servedModel)).length,
      waiting: queue
        .filter((job) => isIn(job.spec.servedModel))
        .map((job, index) => ({
          jobId: job.record.id,
          position: index + 1,
          waitedS: Math.round((Date.now() - Date.parse(job.record.createdAt)) / 1000),
          reason: job.record.queueReason,
        })),
    };
  });
}
