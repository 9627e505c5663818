import type { QueueReason } from '../../protocol/job.ts';
import type { EndpointHealth } from '../routing/endpointHealth.ts';
import type { JobLimits } from './jobLimits.ts';
import { limitBlocks, limitKeys } from './limitBlocks.ts';

export interface LiveJob {
  readonly id: string;
  readonly limits: JobLimits;
}

export interface WaitingJob extends LiveJob {
  /** How many later jobs have been admitted to a place that this one wants too. */
  readonly passedBy: number;
  /** Who may have the job in this round, and what the job need not wait for then; null: nobody. */
  readonly standIn: {
    readonly limits: JobLimits;
    readonly insteadOf: ReadonlySet<QueueReason>;
  } | null;
}

interface Admitted {
  readonly id: string;
  /** Null: at its own place; else what it did not wait for. */
  readonly standsInFor: QueueReason | null;
}

interface QueueDecision {
  /** Who starts, in order. */
  readonly admit: readonly Admitted[];
  /** Why each of the others waits. */
  readonly waiting: ReadonlyMap<string, QueueReason>;
  /** How often those who wait have been passed in this round; only those who were. */
  readonly passed: ReadonlyMap<string, number>;
  /** The job that tries each half-open endpoint, by endpoint. */
  readonly probes: ReadonlyMap<string, string>;
}

/** So often a job may be passed while some limit of its own is taken; then it keeps everything it needs for itself. */
export const MAX_PASSES = 20;

/** Limits that are taken by other jobs. Who waits for an endpoint to get well, or for memory, keeps nothing from others. */
const FULL: ReadonlySet<QueueReason> = new Set(['pool_full', 'endpoint_busy', 'exclusive_group']);

/**
 * Who may start now: first come, first served, per limit. A later job passes an earlier one only if the earlier is blocked by a limit
 * that the later does not touch, and only so often: one that needs two places which are never free at the same moment would starve.
 * A stand-in is asked for a job only in its turn, and it passes nobody either.
 */
export function decideQueue(
  queue: readonly WaitingJob[],
  live: readonly LiveJob[],
  health: ReadonlyMap<string, EndpointHealth>,
): QueueDecision {
  const running = [...live];
  const state = new Map(health);
  const admit: Admitted[] = [];
  const waiting = new Map<string, QueueReason>();
  const passed = new Map<string, number>();
  const probes = new Map<string, string>();
  /** Limits at which an earlier job waits: nobody who touches them may pass. */
  const claimed = new Map<string, QueueReason>();
  const behind: { readonly id: string; readonly keys: ReadonlySet<string> }[] = [];

  const blocksOf = (limits: JobLimits) =>
    limitBlocks(limits, running, limits.endpoint === null ? undefined : state.get(limits.endpoint));
  const start = (id: string, limits: JobLimits, standsInFor: QueueReason | null): void => {
    admit.push({ id, standsInFor });
    running.push({ id, limits });
    const { endpoint } = limits;
    const present = endpoint === null ? undefined : state.get(endpoint);
    if (endpoint !== null && present?.breaker === 'half-open') {
      state.set(endpoint, { ...present, probeJob: id });
      probes.set(endpoint, id);
    }
    const keys = scarceKeys(limits);
    for (const other of behind) {
      if (keys.some((key) => other.keys.has(key)))
        passed.set(other.id, (passed.get(other.id) ?? 0) + 1);
    }
  };

  for (const job of queue) {
    const blocks = blocksOf(job.limits);
    const held = limitKeys(job.limits).find((key) => claimed.has(key));
    const reason = blocks[0]?.reason ?? (held === undefined ? undefined : claimed.get(held));
    if (reason === undefined) {
      start(job.id, job.limits, null);
      continue;
    }
    const { standIn } = job;
    if (standIn?.insteadOf.has(reason) === true) {
      const isTaken =
        blocksOf(standIn.limits).length > 0 ||
        limitKeys(standIn.limits).some((key) => claimed.has(key));
      if (!isTaken) {
        start(job.id, standIn.limits, reason);
        continue;
      }
    }
    waiting.set(job.id, reason);
    behind.push({ id: job.id, keys: new Set(scarceKeys(job.limits)) });
    const isFull = blocks.every((block) => FULL.has(block.reason)) && FULL.has(reason);
    const reserved = isFull && job.passedBy >= MAX_PASSES ? scarceKeys(job.limits) : [];
    for (const key of [...blocks.map((block) => block.key), ...reserved]) {
      const why = blocks.find((block) => block.key === key)?.reason ?? reason;
      if (!claimed.has(key)) claimed.set(key, why);
    }
  }
  return { admit, waiting, passed, probes };
}

/** Limits that can be full: an endpoint without one is no place that another job could take away. */
function scarceKeys(limits: JobLimits): string[] {
  return limitKeys(limits).filter(
    (key) =>
      !key.startsWith('cooldown:') &&
      (limits.endpointLimit !== null || !key.startsWith('endpoint:')),
  );
}
