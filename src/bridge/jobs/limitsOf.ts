import { poolOf } from '../../config/poolOf.ts';
import type { EffectiveConfig } from '../../config/schema.ts';
import { memoryFloorBytes } from './memoryFloor.ts';
import type { JobLimits } from './jobLimits.ts';
import type { StoredJob } from './jobRow.ts';

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
    isMemoryShort: isMemoryShort(job, entry?.memory_floor_gb ?? 0),
  };
}

/** Only for an endpoint on this machine; what a remote one has is its own affair. */
function isMemoryShort(job: StoredJob, setting: number | 'auto'): boolean {
  const floor = job.record.locality === 'local' ? memoryFloorBytes(setting) : null;
  return floor !== null && process.availableMemory() < floor;
}
