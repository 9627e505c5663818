import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { endRecord } from '../../../../src/bridge/jobs/endRecord.ts';
import type { JobSpec } from '../../../../src/bridge/jobs/jobSpec.ts';
import { JobStore } from '../../../../src/bridge/jobs/jobStore.ts';
import { newRecord } from '../../../../src/bridge/jobs/newRecord.ts';
import { canMove, isFinal, isLive } from '../../../../src/bridge/jobs/status.ts';
import {
  JOB_STATUSES,
  jobRecordSchema,
  type JobRecord,
  type JobStatus,
} from '../../../../src/protocol/job.ts';
import { fromWire, toWire } from '../../../../src/protocol/keys.ts';

const SPEC: JobSpec = {
  request: { task: 'x', mayChange: ['a_b'] },
  servedModel: 'm',
  pool: 'default',
  poolSlots: 6,
  endpointLimit: null,
  exclusiveGroup: null,
  alternatives: [],
  failoverSinceMs: null,
  repoRoot: '/repo',
  timeoutS: 1,
  idleTimeoutS: 1,
  configFile: null,
  resume: null,
};

function record(id: string): JobRecord {
  return newRecord({
    id,
    task: 'x',
    runner: 'claude-code',
    client: { name: 'test', session: null, pid: null },
    policy: 'prefer-local',
    cwd: '/repo',
    isolation: 'worktree',
    createdAt: '2026-01-01T00:00:00.000Z',
  });
}

describe('JobStore', () => {
  let dir: string;
  let store: JobStore;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'delegate-store-'));
    store = new JobStore(dir);
  });
  afterEach(() => {
    store.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it('keeps records and specs as they are, in the shape of the schema', () => {
    store.insert(record('a-1'), SPEC);
    const found = store.find('a-1');
    assert.deepEqual(found?.record, record('a-1'));
    assert.deepEqual(found?.spec, SPEC);
    assert.deepEqual(jobRecordSchema.parse(toWire(found?.record)), toWire(record('a-1')));
    assert.deepEqual(fromWire(toWire(record('a-1'))), record('a-1'));
  });

  it('writes the receipt with the final status, in one transaction, and keeps it in step with the review', () => {
    store.insert(record('a-1'), SPEC);
    assert.equal(store.receipt('a-1'), null);
    store.update('a-1', (present) =>
      endRecord(present, 'failed', { kind: 'x', message: 'm', hint: '' }, new Date()),
    );
    assert.equal(store.receipt('a-1')?.status, 'failed');
    store.update('a-1', (present) => ({
      ...present,
      review: { ...present.review, status: 'rejected' },
    }));
    assert.equal(store.receipt('a-1')?.review.status, 'rejected');
  });

  it('a refused job has a receipt from the start', () => {
    store.insert(endRecord(record('a-1'), 'refused', null, new Date()), SPEC);
    assert.equal(store.receipt('a-1')?.status, 'refused');
  });

  it('a move that is not allowed changes nothing', () => {
    store.insert(record('a-1'), SPEC);
    assert.throws(() => store.update('a-1', (present) => ({ ...present, status: 'done' })), {
      kind: 'internal',
    });
    assert.equal(store.find('a-1')?.record.status, 'queued');
  });

  it('another process sees every change, and its revision tells which', () => {
    const other = new JobStore(dir);
    store.insert(record('a-1'), SPEC);
    const seen = other.revision();
    const version = other.dataVersion();
    store.insert(record('b-2'), SPEC);
    assert.notEqual(other.dataVersion(), version);
    assert.deepEqual(
      other.list({ sinceRevision: seen }).map((job) => job.record.id),
      ['b-2'],
    );
    other.close();
  });

  it('a failed transaction leaves nothing, nested ones included', () => {
    assert.throws(() =>
      store.transaction(() => {
        store.insert(record('a-1'), SPEC);
        throw new Error('stop');
      }),
    );
    assert.equal(store.find('a-1'), null);
    store.insert(record('a-1'), SPEC);
    assert.ok(store.find('a-1'));
  });

  it('a newer store is only read, with a sentence that says what to do', () => {
    store.insert(record('a-1'), SPEC);
    store.close();
    const raw = new DatabaseSync(join(dir, 'bridge.sqlite'));
    raw.exec('PRAGMA user_version = 99');
    raw.close();
    store = new JobStore(dir);
    assert.equal(store.isReadOnly, true);
    assert.equal(store.find('a-1')?.record.id, 'a-1');
    assert.throws(() => store.insert(record('b-2'), SPEC), {
      kind: 'store_newer',
      message: /newer/,
    });
  });

  it('a damaged store is an error with the file in it', () => {
    store.close();
    rmSync(join(dir, 'bridge.sqlite-wal'), { force: true });
    const raw = join(dir, 'bridge.sqlite');
    rmSync(raw);
    new DatabaseSync(raw).close();
    assert.doesNotThrow(() => (store = new JobStore(dir)), 'an empty file is a new store');
  });

  it('finds jobs by head and tail of an id, with wild cards taken literally', () => {
    store.insert(record('claude-code-20260101-000000-abcdefghij'), SPEC);
    assert.equal(store.findIds('abcdefghij').length, 1);
    assert.equal(store.findIds('claude-code-2026').length, 1);
    assert.equal(store.findIds('%').length, 0);
    assert.equal(store.findIds('claude_code').length, 0);
  });
});

describe('the table of statuses', () => {
  const FINAL: JobStatus[] = ['done', 'failed', 'timeout', 'cancelled', 'lost', 'refused'];
  it('final ones lead nowhere, live ones hold a place, and every live one can be lost', () => {
    for (const status of JOB_STATUSES) {
      assert.equal(isFinal(status), FINAL.includes(status), status);
      if (isLive(status)) assert.ok(canMove(status, 'lost'), status);
      if (isFinal(status)) for (const to of JOB_STATUSES) assert.equal(canMove(status, to), false);
    }
  });
  it('nothing is done without having run', () => {
    for (const from of JOB_STATUSES)
      assert.equal(canMove(from, 'done'), from === 'running' || from === 'gating', from);
  });
});
