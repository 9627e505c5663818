import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { parse } from 'yaml';
import { Admission } from '../../../../src/bridge/jobs/admission.ts';
import { hostLockFile } from '../../../../src/bridge/jobs/jobPaths.ts';
import { effectiveConfig } from '../../../../src/config/effectiveConfig.ts';
import type { EffectiveConfig, ModelsFile } from '../../../../src/config/schema.ts';
import { failoverOf } from '../../../../src/bridge/jobs/failoverOf.ts';
import { limitsOfPlace } from '../../../../src/bridge/jobs/limitsOf.ts';
import { moveToStandIn } from '../../../../src/bridge/jobs/moveToStandIn.ts';
import type { Alternative, JobSpec } from '../../../../src/bridge/jobs/jobSpec.ts';
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
  let config: EffectiveConfig;
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
      failoverOf: (job) => failoverOf(job, config),
      limitsOfMember: (member) => limitsOfPlace(member, config),
      now: () => now,
      onLost: (id) => void lost.push(id),
    });
  const add = (id: string, over: Partial<JobSpec> = {}): void => {
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
      ...over,
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

  const configure = (text: string): void => {
    config = effectiveConfig(parse(text) as ModelsFile, []);
  };

  beforeEach(() => {
    configure('{}');
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

  describe('failover', () => {
    const member = (model: string, over: Partial<Alternative> = {}): Alternative => ({
      endpoint: 'far',
      baseUrl: 'http://far.test',
      locality: 'cloud',
      model,
      pool: model,
      poolSlots: 1,
      endpointLimit: null,
      exclusiveGroup: null,
      contextWindow: 4096,
      ...over,
    });
    const CONFIG = `
endpoints: { far: { base_url: "http://far.test" } }
pools: { q: { slots: 1 }, d: { slots: 1 }, x-t: { slots: 9 } }
failover: { primary_wait_s: 5, grace_s: 10, pinned: [local-] }
`;
    const wait = (s: number): void => void (now = new Date(now.getTime() + s * 1000));
    const chained = (id: string): void => add(id, { alternatives: [member('q'), member('d')] });
    const place = (id: string): string =>
      `${store.find(id)?.record.status} ${store.find(id)?.spec.servedModel}`;
    beforeEach(() => {
      configure(CONFIG);
      add('first');
      assert.deepEqual(admission().run(), ['first']);
      host('first');
    });

    it('waits for its own place, then a stand-in takes it, and the record says which and why', () => {
      chained('j');
      admission().run();
      wait(4);
      assert.deepEqual(admission().run(), []);
      wait(1);
      assert.deepEqual(admission().run(), ['j']);
      const job = store.find('j');
      assert.deepEqual(job?.record.fallback, {
        from: 'm',
        to: 'q',
        reason: 'the pool default was full',
      });
      const { endpoint, baseUrl, locality, context, warnings } = job.record;
      assert.deepEqual(
        { endpoint, baseUrl, locality, window: context.window },
        { endpoint: 'far', baseUrl: 'http://far.test', locality: 'cloud', window: 4096 },
      );
      assert.match(warnings.join(), /q at far stands in for m at no endpoint: the pool default/);
      assert.deepEqual([job.spec.servedModel, job.spec.pool], ['q', 'q']);
      assert.deepEqual(
        job.spec.alternatives.map(({ model }) => model),
        ['d'],
      );
    });

    it('each in its turn, then for good the model asked for; meanwhile that may have a place at any moment', () => {
      for (const id of ['a', 'b', 'c', 'd']) chained(id);
      admission().run();
      wait(5);
      admission().run();
      assert.deepEqual(['a', 'b', 'c', 'd'].map(place), [
        'starting q',
        'queued m',
        'queued m',
        'queued m',
      ]);
      host('a');
      wait(10);
      admission().run();
      assert.deepEqual(['b', 'c', 'd'].map(place), ['starting d', 'queued m', 'queued m']);
      host('b');
      store.update('first', (record) => ({ ...record, status: 'done' }));
      assert.deepEqual(admission().run(), ['c']);
      assert.equal(place('c'), 'starting m');
      assert.equal(store.find('c')?.record.fallback, null);
      host('c');
      wait(10);
      // Nobody's turn any more: a free place of a stand-in is not taken.
      for (const id of ['a', 'b']) store.update(id, (record) => ({ ...record, status: 'done' }));
      assert.deepEqual(admission().run(), []);
      assert.equal(place('d'), 'queued m');
    });

    it('pins, pools and endpoints are those of the configuration at that moment', () => {
      const later: readonly (readonly [what: string, from: string, to: string])[] = [
        ['the members are pinned now', 'pinned: [local-]', 'pinned: [x-t]'],
        ['the model asked for is pinned now', 'pinned: [local-]', 'pinned: [X-M]'],
        ['they are in the pool of the model asked for now', 'x-t:', 'x-:'],
        ['their endpoint is another server now', 'http://far.test', 'http://else.test'],
        ['their endpoint is gone', 'far:', 'near:'],
      ];
      for (const [what, from, to] of later) {
        configure(CONFIG);
        add(what, { servedModel: 'x-main', alternatives: [member('x-too'), member('x-three')] });
        admission().run();
        wait(5);
        const changed = CONFIG.replace(from, to);
        assert.notEqual(changed, CONFIG);
        configure(changed);
        assert.deepEqual(admission().run(), [], what);
        wait(1_000);
      }
      configure(CONFIG);
      add('as it was', { servedModel: 'x-main', alternatives: [member('x-too')] });
      admission().run();
      wait(5);
      assert.deepEqual(admission().run(), ['as it was']);
    });

    it('a local-only job never goes to a far member, whatever its record says', () => {
      chained('j');
      store.update('j', (record) => ({ ...record, policy: 'local-only' }));
      admission().run();
      wait(5);
      assert.deepEqual(admission().run(), []);
    });

    it('a paused endpoint counts only where failover.when says error', () => {
      store.update('first', (record) => ({ ...record, status: 'done' }));
      store.setCooldown('gpu', now.getTime() + 1e9, 'it says that it has too many requests');
      chained('j');
      store.update('j', (record) => ({ ...record, endpoint: 'gpu' }));
      admission().run();
      assert.equal(store.find('j')?.record.queueReason, 'cooldown');
      wait(5);
      assert.deepEqual(admission().run(), []);
      configure(CONFIG.replace('failover: {', 'failover: { when: [error],'));
      admission().run();
      wait(5);
      assert.deepEqual(admission().run(), ['j']);
      assert.match(store.find('j')?.record.fallback?.reason ?? '', /gpu was paused/);
    });

    it('a running job whose endpoint fails moves to a member that has room, and passes nobody', () => {
      const error = { reason: 'it does not answer', failure: null };
      chained('j');
      store.update('first', (record) => ({ ...record, status: 'done' }));
      admission().run();
      host('j');
      assert.equal(moveToStandIn(store, 'j', config, error, now), null, 'not without "error"');
      configure(CONFIG.replace('failover: {', 'failover: { when: [error],'));
      // The place of q is taken: d is next.
      add('x', { servedModel: 'q', pool: 'q' });
      admission().run();
      assert.equal(moveToStandIn(store, 'j', config, error, now)?.spec.servedModel, 'd');
      assert.deepEqual(store.find('j')?.record.attempts, [
        { endpoint: null, model: 'm', failure: null },
      ]);
      assert.equal(moveToStandIn(store, 'j', config, error, now), null, 'nobody is left');
    });
  });
});
