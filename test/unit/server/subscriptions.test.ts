import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import type { JobRecord } from '../../../src/protocol/job.ts';
import type { BridgeApi } from '../../../src/server/bridgeApi.ts';
import { Subscriptions } from '../../../src/server/subscriptions.ts';
import { sampleJob } from '../protocol/sampleJob.ts';
import { bridgeDouble } from './bridgeDouble.ts';

/** Subscriptions to a store whose changes the test makes; `watchers` counts who watches store and configuration. */
function subscriptionsTo(minGapMs = 250) {
  const watchers = { jobs: 0, config: 0 };
  const listeners: { jobs: (jobs: readonly JobRecord[]) => void; config: () => void } = {
    jobs: () => undefined,
    config: () => undefined,
  };
  const bridge: BridgeApi = bridgeDouble({
    onDidChangeJobs: (listener) => {
      listeners.jobs = listener;
      watchers.jobs += 1;
      return { dispose: () => (watchers.jobs -= 1) };
    },
    onDidChangeConfig: (cwd, listener) => {
      assert.equal(cwd, '/project');
      listeners.config = listener;
      watchers.config += 1;
      return { dispose: () => (watchers.config -= 1) };
    },
  });
  const told: { uri: string; atMs: number }[] = [];
  const subscriptions = new Subscriptions({
    bridge: async () => bridge,
    notify: (uri) => told.push({ uri, atMs: performance.now() }),
    minGapMs,
    cwd: async () => '/project',
  });
  return { subscriptions, told, watchers, listeners };
}

describe('Subscriptions', () => {
  it('tells only what was subscribed to, at once and then at most four times a second', async () => {
    const { subscriptions, told, watchers, listeners } = subscriptionsTo();
    const job = sampleJob();
    const uri = `delegate://jobs/${job.id}`;
    await subscriptions.subscribe(uri);
    listeners.jobs([sampleJob({ id: 'another-one' })]);
    assert.equal(told.length, 0);
    const startMs = performance.now();
    while (performance.now() - startMs < 600) {
      listeners.jobs([job]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.ok(told.length >= 2, 'the last change is told too');
    assert.ok(told.length <= 4, `${told.length} notifications in 0.6 s`);
    assert.ok(told.every((note) => note.uri === uri));
    assert.equal(watchers.config, 0);
    await subscriptions.unsubscribe(uri);
    assert.equal(watchers.jobs, 0, 'nobody watches the store for nothing');
  });

  it('a change of the configuration makes endpoints and pools out of date; it is watched only for them', async () => {
    const { subscriptions, told, watchers, listeners } = subscriptionsTo(1);
    await subscriptions.subscribe('delegate://jobs');
    await subscriptions.subscribe('delegate://endpoints');
    await subscriptions.subscribe('delegate://endpoints');
    assert.equal(watchers.config, 1);
    listeners.config();
    assert.deepEqual(
      told.map((note) => note.uri),
      ['delegate://endpoints'],
    );
    await subscriptions.unsubscribe('delegate://endpoints');
    assert.deepEqual(watchers, { jobs: 1, config: 0 });
    await subscriptions.subscribe('delegate://endpoints');
    subscriptions.dispose();
    assert.deepEqual(watchers, { jobs: 0, config: 0 });
  });

  it('refuses what is no resource', async () => {
    const { subscriptions } = subscriptionsTo();
    await assert.rejects(subscriptions.subscribe('file:///etc/passwd'), /no resource/);
  });
});
