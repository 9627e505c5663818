import { existsSync } from 'node:fs';
import { BridgeError } from '../../base/bridgeError.ts';
import type { Failure, QueueReason } from '../../protocol/job.ts';
import { noteProbeJob, readHealth } from '../routing/endpointHealth.ts';
import { failoverTurn } from '../routing/failoverTurn.ts';
import { isKernelLockHeld } from '../processes/kernelLock.ts';
import { killJobProcesses } from '../processes/jobProcesses.ts';
import { endRecord } from './endRecord.ts';
import { decideQueue, type WaitingJob } from './decideQueue.ts';
import type { Failover } from './failoverOf.ts';
import type { JobLimits } from './jobLimits.ts';
import { hostLockFile } from './jobPaths.ts';
import type { StoredJob } from './jobRow.ts';
import type { Alternative } from './jobSpec.ts';
import type { JobStore } from './jobStore.ts';
import { isLive, LIVE_STATUSES } from './status.ts';
import { withStandIn } from './withStandIn.ts';

/** How long an admitted job may take until its host holds its lock. */
const STARTING_LIMIT_MS = 20_000;
const MAX_HOST_STARTS = 2;

export interface AdmissionOptions {
  readonly store: JobStore;
  readonly stateDir: string;
  readonly startHost: (jobId: string) => void;
  readonly limitsOf: (job: StoredJob) => JobLimits;
  /** The chain of a job; null: it has none, or may not use it. */
  readonly failoverOf: (job: StoredJob) => Failover | null;
  /** The limits of a member of a job's chain. */
  readonly limitsOfMember: (member: Alternative, job: StoredJob) => JobLimits;
  readonly now: () => Date;
  /** A job was just found dead and marked lost by this process, which has to settle it. */
  readonly onLost: (jobId: string) => void;
}

/** Decides, over all processes, which queued job starts next. What is in use is counted, never kept in a second table. */
export class Admission {
  readonly #options: AdmissionOptions;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** Marks the jobs of dead hosts, admits whoever has room, starts their hosts. Returns the admitted ids. */
  run(): string[] {
    this.recoverDead();
    const admitted = unlessFull(() => this.#admit(), []);
    for (const id of admitted) this.#options.startHost(id);
    return admitted;
  }

  /** Jobs whose host is gone: their processes are ended first, so that a place is free only when they are gone. */
  recoverDead(): string[] {
    const { store } = this.#options;
    const lost: string[] = [];
    for (const job of store.inOrder(LIVE_STATUSES)) {
      if (!this.#isDead(job)) continue;
      const id = job.record.id;
      killJobProcesses(id);
      const isLost = unlessFull(() => this.#endIfDead(id), false);
      if (isLost) lost.push(id);
    }
    for (const id of lost) this.#options.onLost(id);
    return lost;
  }

  #endIfDead(id: string): boolean {
    const { store } = this.#options;
    return store.transaction(() => {
      const present = store.find(id);
      if (!present || !isLive(present.record.status) || !this.#isDead(present)) return false;
      this.#endDead(present);
      return present.isHosted;
    });
  }

  #isDead(job: StoredJob): boolean {
    const isLockHeld = isKernelLockHeld(hostLockFile(this.#options.stateDir, job.record.id));
    if (isLockHeld) return false;
    if (job.isHosted) return true;
    return job.startingUntilMs !== null && job.startingUntilMs <= this.#options.now().getTime();
  }

  #endDead(job: StoredJob): void {
    const { store, now } = this.#options;
    const { id, status } = job.record;
    if (job.isHosted) {
      store.update(id, (record) => endRecord(keepTree(record), 'lost', lostFailure(status), now()));
    } else if (job.cancelBy !== null) {
      const failure = cancelledFailure(job.cancelBy);
      store.update(id, (record) => endRecord(record, 'cancelled', failure, now()));
    } else if (job.hostStarts < MAX_HOST_STARTS) {
      store.update(id, (record) => ({ ...record, status: 'queued' }), { startingUntilMs: null });
    } else {
      store.update(id, (record) => endRecord(record, 'failed', HOST_START_FAILURE, now()));
    }
  }

  #admit(): string[] {
    const { store, now } = this.#options;
    if (store.isReadOnly || !store.hasQueued()) return [];
    // Most rounds change nothing, and then nobody is kept from writing.
    if (!this.#decide(now().getTime()).isNews) return [];
    return store.transaction(() => {
      const at = now();
      const { byId, decision } = this.#decide(at.getTime());
      for (const { id, standsInFor } of decision.admit) {
        const waiting = byId.get(id);
        if (waiting !== undefined) this.#start(waiting, standsInFor, at.getTime());
      }
      for (const [endpoint, id] of decision.probes) noteProbeJob(store, endpoint, id, at);
      for (const [id, reason] of decision.waiting) {
        const waiting = byId.get(id);
        if (waiting !== undefined)
          this.#noteWaiting(waiting, reason, decision.passed.get(id) ?? 0, at.getTime());
      }
      return decision.admit.map(({ id }) => id);
    });
  }

  #decide(nowMs: number) {
    const { store, limitsOf } = this.#options;
    const queue = store.inOrder(['queued']).map((job) => this.#waiting(job, nowMs));
    const live = store
      .inOrder(LIVE_STATUSES)
      .map((job) => ({ id: job.record.id, limits: limitsOf(job) }));
    const decision = decideQueue(queue, live, readHealth(store, nowMs));
    const byId = new Map(queue.map((waiting) => [waiting.id, waiting]));
    const isNews =
      decision.admit.length > 0 ||
      queue.some((waiting) => isNewReason(waiting, decision.waiting.get(waiting.id) ?? null));
    return { byId, decision, isNews };
  }

  #waiting(job: StoredJob, nowMs: number): Queued {
    const { limitsOf, failoverOf, limitsOfMember } = this.#options;
    const failover = failoverOf(job);
    const sinceMs = job.spec.failoverSinceMs ?? nowMs;
    const turn =
      failover === null ? null : failoverTurn(nowMs - sinceMs, failover, failover.members.length);
    const member = turn === null ? null : (failover?.members[turn] ?? null);
    return {
      id: job.record.id,
      limits: limitsOf(job),
      passedBy: job.spec.passedBy ?? 0,
      standIn:
        failover === null || member === null
          ? null
          : { limits: limitsOfMember(member, job), insteadOf: failover.insteadOf },
      job,
      failover,
      member,
    };
  }

  #start({ job, member, limits }: Queued, standsInFor: QueueReason | null, nowMs: number): void {
    const { record, spec } =
      standsInFor === null || member === null
        ? job
        : withStandIn(job, member, whyInstead(standsInFor, limits));
    this.#options.store.update(
      record.id,
      () => ({ ...record, status: 'starting', queueReason: null }),
      {
        isHosted: false,
        hostStarts: job.hostStarts + 1,
        startingUntilMs: nowMs + STARTING_LIMIT_MS,
        spec,
      },
    );
  }

  /** Written only when there is something new: every write wakes whoever watches. */
  #noteWaiting(
    { job, failover }: Queued,
    reason: QueueReason,
    passed: number,
    nowMs: number,
  ): void {
    const { record, spec } = job;
    const isFirst = isFirstWait(job, failover, reason);
    if (reason === record.queueReason && passed === 0 && !isFirst) return;
    this.#options.store.update(record.id, () => ({ ...record, queueReason: reason }), {
      spec: {
        ...spec,
        ...(isFirst ? { failoverSinceMs: nowMs } : {}),
        ...(passed > 0 ? { passedBy: (spec.passedBy ?? 0) + passed } : {}),
      },
    });
  }
}

interface Queued extends WaitingJob {
  readonly job: StoredJob;
  readonly failover: Failover | null;
  /** Whose turn it is to stand in. */
  readonly member: Alternative | null;
}

/** From here on the turns of the chain are counted. */
function isFirstWait(
  { spec }: StoredJob,
  failover: Failover | null,
  reason: QueueReason | null,
): boolean {
  return (
    reason !== null && spec.failoverSinceMs === null && failover?.insteadOf.has(reason) === true
  );
}

function isNewReason({ job, failover }: Queued, reason: QueueReason | null): boolean {
  return reason !== job.record.queueReason || isFirstWait(job, failover, reason);
}

function whyInstead(reason: QueueReason, { pool, endpoint }: JobLimits): string {
  switch (reason) {
    case 'pool_full':
      return `the pool ${pool} was full`;
    case 'cooldown':
      return `${endpoint ?? 'it'} was paused after failures or too many requests`;
    default:
      return `${endpoint ?? 'it'} had no free place`;
  }
}

/** On a full disk nobody can be marked or admitted: whoever only looks still sees the jobs, and the next look tries again. */
function unlessFull<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch (error) {
    if (!BridgeError.is(error, 'storage_full')) throw error;
    return otherwise;
  }
}

const HOST_START_FAILURE: Failure = {
  kind: 'host_start_failed',
  message: 'The process of the job did not start, twice.',
  hint: 'Look at host.log in the job folder, then delegate again.',
};

function cancelledFailure(by: string): Failure {
  return { kind: 'cancelled', message: `Cancelled by ${by} before it started.`, hint: '' };
}

function lostFailure(status: string): Failure {
  return {
    kind: 'lost',
    message: `The process of the job ended without a word while the job was ${status}.`,
    hint: 'What it had changed is kept in its worktree: review it, or resume the job.',
  };
}

/** A host that was killed after it had removed an unchanged tree leaves nothing to review. */
function keepTree(record: StoredJob['record']): StoredJob['record'] {
  const { worktree, review } = record;
  if (worktree === null) return record;
  if (!existsSync(worktree.root))
    return { ...record, worktree: { ...worktree, kept: false, note: 'the worktree is gone' } };
  return {
    ...record,
    worktree: { ...worktree, kept: true },
    review: review.status === 'none' ? { ...review, status: 'pending' } : review,
  };
}
