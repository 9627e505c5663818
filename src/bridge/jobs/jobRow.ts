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

/** More rows than are ever open at once; it is a bound, not a size. */
const MAX_KNOWN_ROWS = 2_000;

/**
 * Decodes rows, and those that are as they were when it saw them last are not decoded again: admission looks at every waiting job each
 * second, in every process.
 */
export class RowDecoder {
  readonly #records = new Map<number, Decoded<JobRecord>>();
  readonly #specs = new Map<number, Decoded<JobSpec>>();

  decode(row: Record<string, unknown>): StoredJob {
    const seq = Number(row['seq']);
    return {
      ...rowFields(row),
      seq,
      record: remembered(this.#records, seq, String(row['record']), decodeRecord),
      spec: remembered(this.#specs, seq, String(row['spec']), decodeSpec),
    };
  }
}

interface Decoded<T> {
  readonly text: string;
  readonly value: T;
}

function remembered<T>(
  known: Map<number, Decoded<T>>,
  seq: number,
  text: string,
  decodeText: (text: string) => T,
): T {
  const present = known.get(seq);
  if (present?.text === text) return present.value;
  if (known.size >= MAX_KNOWN_ROWS) known.clear();
  const value = decodeText(text);
  known.set(seq, { text, value });
  return value;
}

function rowFields(row: Record<string, unknown>): Omit<StoredJob, 'seq' | 'record' | 'spec'> {
  return {
    isHosted: row['hosted'] === 1,
    hostStarts: Number(row['host_starts']),
    startingUntilMs: row['starting_until_ms'] === null ? null : Number(row['starting_until_ms']),
    cancelBy: row['cancel_by'] as string | null,
    revision: Number(row['revision']),
  };
}
