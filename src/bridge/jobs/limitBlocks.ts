import type { QueueReason } from '../../protocol/job.ts';
import type { EndpointHealth } from '../routing/endpointHealth.ts';
import type { JobLimits } from './jobLimits.ts';

/** A limit without room, by the name under which a job can wait for it. */
export interface Block {
  readonly key: string;
  readonly reason: QueueReason;
}

/** What keeps a job from running at a place: the first is the reason that is shown. */
export function limitBlocks(
  limits: JobLimits,
  running: readonly { readonly id: string; readonly limits: JobLimits }[],
  health: EndpointHealth | undefined,
): Block[] {
  const blocks: Block[] = [];
  const count = (isSame: (other: JobLimits) => boolean): number =>
    running.filter((job) => isSame(job.limits)).length;
  const { pool, endpoint, endpointLimit, server, serverLimit, exclusiveGroup: group } = limits;
  if (count((other) => other.pool === pool) >= limits.poolSlots)
    blocks.push({ key: `pool:${pool}`, reason: 'pool_full' });
  if (endpointLimit !== null && count((other) => other.endpoint === endpoint) >= endpointLimit)
    blocks.push({ key: `endpoint:${endpoint}`, reason: 'endpoint_busy' });
  if (serverLimit !== null && count((other) => other.server === server) >= serverLimit)
    blocks.push({ key: `server:${server}`, reason: 'endpoint_busy' });
  if (health !== undefined) blocks.push(...healthBlocks(limits, running, health));
  if (limits.isMemoryShort) blocks.push({ key: 'memory', reason: 'memory' });
  const isGroupTaken =
    group !== null &&
    count((other) => other.exclusiveGroup === group && other.endpoint !== endpoint) > 0;
  if (isGroupTaken) blocks.push({ key: `group:${group}`, reason: 'exclusive_group' });
  return blocks;
}

/** Every limit of a place for which others may wait. */
export function limitKeys(limits: JobLimits): string[] {
  const { pool, endpoint, model, server, exclusiveGroup } = limits;
  return [
    `pool:${pool}`,
    ...(endpoint === null
      ? []
      : [`endpoint:${endpoint}`, `cooldown:${endpoint}`, `cooldown:${endpoint} ${model}`]),
    ...(server === null ? [] : [`server:${server}`]),
    ...(exclusiveGroup === null ? [] : [`group:${exclusiveGroup}`]),
  ];
}

/** An endpoint that has failed is tried by one job at a time until it is known to be well. */
function healthBlocks(
  { endpoint, model }: JobLimits,
  running: readonly { readonly id: string }[],
  health: EndpointHealth,
): Block[] {
  const isBeingTried =
    health.breaker === 'half-open' && running.some(({ id }) => id === health.probeJob);
  if (health.pausedUntilMs !== null || isBeingTried)
    return [{ key: `cooldown:${endpoint}`, reason: 'cooldown' }];
  return health.coolingModels.has(model)
    ? [{ key: `cooldown:${endpoint} ${model}`, reason: 'cooldown' }]
    : [];
}
