import type { Failure, JobRecord, JobStatus } from '../../protocol/job.ts';

type FinalStatus = Extract<
  JobStatus,
  'done' | 'failed' | 'timeout' | 'cancelled' | 'lost' | 'refused'
>;

/** The record of a job that has ended: the same shape whatever the ending was. */
export function endRecord(
  record: JobRecord,
  status: FinalStatus,
  failure: Failure | null,
  now: Date,
): JobRecord {
  const from = record.startedAt ?? record.createdAt;
  return {
    ...record,
    status,
    failure,
    queueReason: null,
    finishedAt: now.toISOString(),
    elapsedS: record.startedAt === null ? null : seconds(now.getTime() - Date.parse(from)),
    queuedS: record.queuedS ?? seconds(now.getTime() - Date.parse(record.createdAt)),
    host: { ...record.host, alive: false },
  };
}

export function seconds(ms: number): number {
  return Math.max(0, Math.round(ms / 100) / 10);
}
