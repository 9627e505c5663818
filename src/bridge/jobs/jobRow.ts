import type { JobRecord } from '../../protocol/job.ts';
import { fromWire, toWire } from '../../protocol/keys.ts';
import type { JobSpec } from './jobSpec.ts';

export interface StoredJob {
  readonly seq: number;
  readonly record: JobRecord;
  readonly spec: JobSpec;
  /** The job's host has held its lock at least once. */
  readonly isHosted: boolean;
  readonly hostStarts: number;
  readonly startingUntilMs: number | null;
  readonly cancelBy: string | null;
  readonly revision: number;
}

export function encode(value: unknown): string {
  return JSON.stringify(toWire(value));
}

function decode<T>(text: string): T {
  return fromWire(JSON.parse(text)) as T;
}

/** Rows of earlier versions lack what later ones have added. */
export function decodeRecord(text: unknown): JobRecord {
  const record = decode<JobRecord>(String(text));
  const { dropped = [] }: { dropped?: string[] } = record.review;
  return { ...record, review: { ...record.review, dropped } };
}

function decodeSpec(text: unknown): JobSpec {
  const spec = decode<JobSpec>(String(text));
  const { alternatives = [], failoverSinceMs = null }: Partial<JobSpec> = spec;
  return { ...spec, alternatives, failoverSinceMs };
}

export function decodeRow(row: Record<string, unknown>): StoredJob {
  return {
    seq: Number(row['seq']),
    record: decodeRecord(row['record']),
    spec: decodeSpec(row['spec']),
    isHosted: row['hosted'] === 1,
    hostStarts: Number(row['host_starts']),
    startingUntilMs: row['starting_until_ms'] === null ? null : Number(row['starting_until_ms']),
    cancelBy: row['cancel_by'] as string | null,
    revision: Number(row['revision']),
  };
}
