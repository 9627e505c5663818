import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { Admission } from '../../../../src/bridge/jobs/admission.ts';
import { hostLockFile } from '../../../../src/bridge/jobs/jobPaths.ts';
import type { JobSpec } from '../../../../src/bridge/jobs/jobSpec.ts';
import { JobStore } from '../../../../src/bridge/jobs/jobStore.ts';
import { newRecord } from '../../../../src/bridge/jobs/newRecord.ts';
import { tryKernelLock, type KernelLock } from '../../../../src/bridge/processes/kernelLock.ts';

describe('Admission', () => {
  let dir: string;
  let store: JobStore;
  let started: string[];
  let lost: string[];
  let locks: KernelLock[];
  let now: Date;
  const admission = (): Admission =>
    new Admission({
      store,
      stateDir: dir,
      startHost: (id) => void started.push(id),
      limitsOf: (job) => ({
        pool: job.spec.pool,
        poolSlots: job.spec.poolSlots,
        endpoint: job.record.endpoint,
        model: job.spec.servedModel,
        endpointLimit: null,
        server: null,
        serverLimit: null,
        exclusiveGroup: null,
        isMemoryShort: false,
      }),
      failoverOf: () => null,
      limitsOfMember: () => assert.fail('nobody has a chain'),
      now: () => now,
      onLost: (id) => void lost.push(id),
    });
  const add = (id: string): void => {
    const spec: JobSpec = {
      request: { task: 'x' },
      servedModel: 'm',
      pool: 'default',
      poolSlots: 1,
      endpointLimit: null,
      exclusiveGroup: null,
      alternatives: [],
      failoverSinceMs: null,
      repoRoot: null,
      timeoutS: 1,
      idleTimeoutS: 1,
      configFile: null,
      resume: null,
    };
    const record = newRecord({
      id,
      task: 'x',
      runner: 'claude-code',
      client: { name: 'test', session: null, pid: null },
      policy: 'any',
      cwd: '/',
      isolation: 'worktree',
      createdAt: now.toISOString(),
    });
    store.insert({ ...record, worktree: null }, spec);
  };
  /** What a job host does first. */
  const host = (id: string): KernelLock => {
    const lock = tryKernelLock(hostLockFile(dir, id));
    assert.ok(lock);
    locks.push(lock);
    store.update(id, (record) => ({ ...record, status: 'running' }), {
      isHosted: true,
      startingUntilMs: null,
    });
    return lock;
  };
  const status = (id: string): string | undefined => store.find(id)?.record.status;

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'delegate-admission-'));
    store = new JobStore(dir);
    started = [];
    lost = [];
    locks = [];
    now = new Date('2026-01-01T00:00:00Z');
  });
  afterEach(() => {
    for (const lock of locks) lock.release();
    store.close();
    rmSync(dir, { recursive: true, force: true });
  });

  it('starts the first, says why the second waits, and gives the place on when the first has ended', () => {
    add('j-1');
    add('j-2');
    assert.deepEqual(admission().run(), ['j-1']);
    assert.equal(store.find('j-2')?.record.queueReason, 'pool_full');
    host('j-1');
    assert.deepEqual(admission().run(), []);
    store.update('j-1', (record) => ({ ...record, status: 'done' }));
    assert.deepEqual(admission().run(), ['j-2']);
    assert.deepEqual(started, ['j-1', 'j-2']);
  });

  it('a host whose lock is gone is lost, has a receipt, and its place is free at once', () => {
    add('j-1');
    add('j-2');
    admission().run();
    const lock = host('j-1');
    assert.deepEqual(admission().recoverDead(), []);
    lock.release();
    assert.deepEqual(admission().run(), ['j-2']);
    assert.equal(status('j-1'), 'lost');
    assert.deepEqual(lost, ['j-1'], 'told once, to whoever found it');
    assert.equal(store.receipt('j-1')?.failure?.kind, 'lost');
  });

  it('a host that never came is tried once more, then the job fails', () => {
    add('j-1');
    admission().run();
    now = new Date(now.getTime() + 60_000);
    assert.deepEqual(admission().run(), ['j-1'], 'put back and started again');
    now = new Date(now.getTime() + 60_000);
    assert.deepEqual(admission().run(), []);
    assert.equal(status('j-1'), 'failed');
    assert.equal(store.receipt('j-1')?.failure?.kind, 'host_start_failed');
  });

  it('a host that is slow to come up keeps its job as long as its time is not over', () => {
    add('j-1');
    admission().run();
    now = new Date(now.getTime() + 1_000);
    assert.deepEqual(admission().run(), []);
    assert.equal(status('j-1'), 'starting');
  });
});
