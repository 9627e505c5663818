import { isPinned } from '../../config/isPinned.ts';
import { poolOf } from '../../config/poolOf.ts';
import type { EffectiveConfig } from '../../config/schema.ts';
import { isNear } from '../endpoints/locality.ts';
import type { StoredJob } from './jobRow.ts';
import type { Alternative } from './jobSpec.ts';

/**
 * Who may stand in for a job now, in order. The members were found at submit; pins, pools and endpoints are those of the present
 * configuration, and are looked at again at every use, so that no change of the table sends pinned work elsewhere.
 */
export function standInsOf(
  { record, spec }: Pick<StoredJob, 'record' | 'spec'>,
  { failover, pools, endpoints }: Pick<EffectiveConfig, 'failover' | 'pools' | 'endpoints'>,
): Alternative[] {
  const names = [spec.servedModel, record.modelRequested, record.fallback?.from];
  if (names.some((name) => typeof name === 'string' && isPinned(failover.pinned, name))) return [];
  const poolsTaken = new Set([poolOf(pools, spec.servedModel)]);
  return spec.alternatives.filter((member) => {
    const pool = poolOf(pools, member.model);
    const isUsable =
      !isPinned(failover.pinned, member.model) &&
      endpoints[member.endpoint]?.base_url === member.baseUrl &&
      (record.policy !== 'local-only' || isNear(member.locality)) &&
      (pool === 'default' || !poolsTaken.has(pool));
    if (isUsable) poolsTaken.add(pool);
    return isUsable;
  });
}
