import { poolOf } from '../../config/poolOf.ts';
import type { EffectiveConfig } from '../../config/schema.ts';
import type { JobLimits } from './jobLimits.ts';
import type { StoredJob } from './jobStore.ts';

/** The limits a job touches by the present configuration; what it no longer names keeps the size that it had at submit. */
export function limitsOf(job: StoredJob, config: EffectiveConfig): JobLimits {
  const pool = poolOf(config.pools, job.spec.servedModel);
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
