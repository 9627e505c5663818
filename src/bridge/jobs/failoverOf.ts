import type { EffectiveConfig } from '../../config/schema.ts';
import type { QueueReason } from '../../protocol/job.ts';
import type { StoredJob } from './jobRow.ts';
import type { Alternative } from './jobSpec.ts';
import { standInsOf } from './standInsOf.ts';

export interface Failover {
  readonly members: readonly Alternative[];
  /** What a job need not wait for when a stand-in has a place. */
  readonly insteadOf: ReadonlySet<QueueReason>;
  readonly primaryWaitMs: number;
  readonly graceMs: number;
}

/** The chain of a waiting job and its times, by the present configuration; null: it waits for its own place, whatever happens. */
export function failoverOf(
  job: Pick<StoredJob, 'record' | 'spec'>,
  config: Pick<EffectiveConfig, 'failover' | 'pools' | 'endpoints'>,
): Failover | null {
  const members = standInsOf(job, config);
  if (members.length === 0) return null;
  const { when, primary_wait_s: primaryWaitS, grace_s: graceS } = config.failover;
  const insteadOf = new Set<QueueReason>();
  // An endpoint without a free place is as full as a pool without one.
  if (when.includes('pool_full')) insteadOf.add('pool_full').add('endpoint_busy');
  if (when.includes('error')) insteadOf.add('cooldown');
  return { members, insteadOf, primaryWaitMs: primaryWaitS * 1000, graceMs: graceS * 1000 };
}
