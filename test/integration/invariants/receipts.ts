import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { jobRecordSchema, type JobRecord } from '../../../src/protocol/job.ts';
import { fromWire } from '../../../src/protocol/keys.ts';

/** What the ledger holds of a job, read past all code of the store; null when it holds nothing. */
export function readReceipt(stateDir: string, jobId: string): JobRecord | null {
  const database = new DatabaseSync(join(stateDir, 'bridge.sqlite'), { readOnly: true });
  try {
    const row = database.prepare('SELECT receipt FROM receipts WHERE job_id = ?').get(jobId);
    if (row === undefined) return null;
    return fromWire(jobRecordSchema.parse(JSON.parse(String(row['receipt'])))) as JobRecord;
  } finally {
    database.close();
  }
}
