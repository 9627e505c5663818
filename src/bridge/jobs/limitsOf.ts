import type { EffectiveConfig } from '../../config/schema.ts';
import type { JobLimits } from './jobLimits.ts';
import type { StoredJob } from './jobStore.ts';

const DEFAULT_POOL = 'default';

/** The pool of a model: the longest prefix that fits, else `default`. Every job is in exactly one. */
export function poolOf(model: string, pools: EffectiveConfig['pools']): string {
  const prefixes = Object.keys(pools)
    .filter((prefix) => prefix !== DEFAULT_POOL && model.startsWith(prefix))
    .sort((a, b) => b.length - a.length);
  return prefixes[0] ?? DEFAULT_POOL;
}

/** The limits a job touches by the present configuration; what it no longer names keeps the size that it had at submit. */
export function limitsOf(job: StoredJob, config: EffectiveConfig): JobLimits {
  const pool = poolOf(job.spec.servedModel, config.pools);
  const endpoint = job.record.endpoint;
  const entry = endpoint === null ? undefined : config.endpoints[endpoint];
  const configured = entry?.max_concurrent;
  return {
    pool,
    poolSlots: config.pools[pool]?.slots ?? job.spec.poolSlots,
    endpoint,
    endpointLimit: typeof configured === 'number' ? configured : job.spec.endpointLimit,
    exclusiveGroup: entry === undefined ? job.spec.exclusiveGroup : entry.exclusive_group || null,
  };
}
