import { newJobId } from '../../../src/base/ids.ts';
import { createJobDir } from '../../../src/bridge/jobs/jobPaths.ts';
import { JobStore } from '../../../src/bridge/jobs/jobStore.ts';
import { newRecord } from '../../../src/bridge/jobs/newRecord.ts';
import type { JobRecord } from '../../../src/protocol/job.ts';

const FINAL = ['done', 'failed', 'timeout', 'cancelled', 'lost', 'refused'] as const;
const SECOND_MS = 1000;

export interface SeedOptions {
  readonly stateDir: string;
  readonly repoRoot: string;
  /** Fields of the nth record, over those of an ended job; the first one is the oldest. */
  readonly record?: (n: number) => Partial<JobRecord>;
}

/**
 * Ended jobs, written through the real store in one transaction: their ids, oldest first. They have no tree and no log. A job that
 * lives, or whose changes are looked at, has to be a real one: a record of a running job without a host is settled as lost.
 */
export function seedJobs(count: number, options: SeedOptions): string[] {
  const store = new JobStore(options.stateDir);
  const firstMs = Date.now() - count * SECOND_MS;
  try {
    return store.transaction(() =>
      Array.from({ length: count }, (_, n) => {
        const record = seededRecord(n, new Date(firstMs + n * SECOND_MS), options);
        createJobDir(options.stateDir, record.id);
        store.insert(record, {
          request: { task: record.task, cwd: record.cwd },
          servedModel: record.modelServed ?? 'rehearsal',
          pool: 'default',
          poolSlots: 4,
          endpointLimit: null,
          exclusiveGroup: null,
          alternatives: [],
          failoverSinceMs: null,
          repoRoot: options.repoRoot,
          timeoutS: 600,
          idleTimeoutS: 300,
          configFile: null,
          resume: null,
        });
        return record.id;
      }),
    );
  } finally {
    store.close();
  }
}

function seededRecord(n: number, at: Date, { repoRoot, record }: SeedOptions): JobRecord {
  const status = FINAL[n % FINAL.length] ?? 'done';
  const ended: JobRecord = {
    ...newRecord({
      id: newJobId('claude-code', at),
      task: `Seeded job ${n}`,
      runner: 'claude-code',
      client: { name: 'claude-code', session: null, pid: null },
      policy: 'any',
      cwd: repoRoot,
      isolation: 'worktree',
      createdAt: at.toISOString(),
    }),
    status,
    endpoint: 'rehearsal',
    locality: 'local',
    modelServed: 'rehearsal',
    startedAt: at.toISOString(),
    finishedAt: new Date(at.getTime() + SECOND_MS).toISOString(),
    queuedS: 0,
    elapsedS: 1,
    turns: 1,
    failure:
      status === 'done'
        ? null
        : { kind: status, message: `The job ended as ${status}.`, hint: 'Run it again.' },
    ...record?.(n),
  };
  if (!FINAL.some((each) => each === ended.status))
    throw new Error(`A seeded job has ended; one that is ${ended.status} has to be a real one.`);
  return ended;
}
