import type { QueueReason } from '../../protocol/job.ts';

/** Every limit that a job touches. Sizes are those of the present configuration. */
export interface JobLimits {
  readonly pool: string;
  readonly poolSlots: number;
  readonly endpoint: string | null;
  /** Jobs at once on the endpoint; null: no limit of ours. */
  readonly endpointLimit: number | null;
  readonly exclusiveGroup: string | null;
  /** This machine serves the endpoint and has less memory available than `memory_floor_gb` asks for. */
  readonly isMemoryShort: boolean;
}

export interface LimitedJob {
  readonly id: string;
  readonly limits: JobLimits;
}

export interface QueueDecision {
  /** Ids to start, in order. */
  readonly admit: readonly string[];
  /** Why each of the others waits. */
  readonly waiting: ReadonlyMap<string, QueueReason>;
}

/**
 * Who may start now: first come, first served, per limit. A later job passes an earlier one only if the earlier is blocked by a limit
 * that the later does not touch, so nobody starves.
 */
export function decideQueue(
  queue: readonly LimitedJob[],
  live: readonly LimitedJob[],
  coolingEndpoints: ReadonlySet<string>,
): QueueDecision {
  const running = [...live];
  const admit: string[] = [];
  const waiting = new Map<string, QueueReason>();
  /** Limits at which an earlier job waits: nobody who touches them may pass. */
  const claimed = new Map<string, QueueReason>();

  for (const job of queue) {
    const blocks = blocksOf(job.limits, running, coolingEndpoints);
    const held = touchedKeys(job.limits).find((key) => claimed.has(key));
    const first = blocks[0];
    if (first === undefined && held === undefined) {
      admit.push(job.id);
      running.push(job);
      continue;
    }
    waiting.set(job.id, first?.reason ?? claimed.get(held ?? '') ?? 'pool_full');
    for (const block of blocks) {
      if (!claimed.has(block.key)) claimed.set(block.key, block.reason);
    }
  }
  return { admit, waiting };
}

interface Block {
  readonly key: string;
  readonly reason: QueueReason;
}

function blocksOf(
  limits: JobLimits,
  running: readonly LimitedJob[],
  cooling: ReadonlySet<string>,
): Block[] {
  const blocks: Block[] = [];
  const inPool = running.filter((job) => job.limits.pool === limits.pool).length;
  if (inPool >= limits.poolSlots) blocks.push({ key: `pool:${limits.pool}`, reason: 'pool_full' });
  if (limits.endpoint !== null) {
    const onEndpoint = running.filter((job) => job.limits.endpoint === limits.endpoint).length;
    if (limits.endpointLimit !== null && onEndpoint >= limits.endpointLimit) {
      blocks.push({ key: `endpoint:${limits.endpoint}`, reason: 'endpoint_busy' });
    }
    if (cooling.has(limits.endpoint))
      blocks.push({ key: `cooldown:${limits.endpoint}`, reason: 'cooldown' });
  }
  if (limits.isMemoryShort) blocks.push({ key: 'memory', reason: 'memory' });
  const group = limits.exclusiveGroup;
  const isGroupTaken =
    group !== null &&
    running.some(
      (job) => job.limits.exclusiveGroup === group && job.limits.endpoint !== limits.endpoint,
    );
  if (isGroupTaken) blocks.push({ key: `group:${group}`, reason: 'exclusive_group' });
  return blocks;
}

function touchedKeys(limits: JobLimits): string[] {
  const keys = [`pool:${limits.pool}`];
  if (limits.endpoint !== null)
    keys.push(`endpoint:${limits.endpoint}`, `cooldown:${limits.endpoint}`);
  if (limits.exclusiveGroup !== null) keys.push(`group:${limits.exclusiveGroup}`);
  return keys;
}
