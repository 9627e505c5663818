import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { sanitiseText } from '../base/sanitise.ts';
import type { JobRecord } from '../protocol/job.ts';
import type { JobLog } from './bridgeTypes.ts';

const FILES = {
  transcript: 'transcript.txt',
  events: 'events.jsonl',
  gate: 'gate.log',
  requests: 'requests.jsonl',
  host: 'host.log',
} as const;
export type LogName = keyof typeof FILES;

/** Enough for some thousand lines; a log is read from its end. */
const MAX_READ_BYTES = 2 * 1024 * 1024;

/** Where a log of a job lies, whether or not it has been written yet. */
export function logFile(dir: string, what: LogName): string {
  return join(dir, FILES[what]);
}

export function readJobLog(
  dir: string,
  record: JobRecord,
  what: LogName,
  tailLines: number,
): JobLog {
  const file = logFile(dir, what);
  const { text, isCut } = existsSync(file) ? readTail(file) : { text: '', isCut: false };
  const lines = text.replace(/\n$/, '').split('\n');
  const kept = lines.slice(-tailLines);
  return {
    jobId: record.id,
    status: record.status,
    dir,
    text: sanitiseText(kept.join('\n')),
    isTruncated: isCut || kept.length < lines.length,
  };
}

function readTail(file: string): { text: string; isCut: boolean } {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const length = Math.min(size, MAX_READ_BYTES);
    const bytes = Buffer.alloc(length);
    const read = readSync(descriptor, bytes, 0, length, size - length);
    return { text: bytes.subarray(0, read).toString('utf8'), isCut: size > length };
  } finally {
    closeSync(descriptor);
  }
}
