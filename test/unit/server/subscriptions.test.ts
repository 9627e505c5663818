import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import type { JobRecord } from '../../../src/protocol/job.ts';
import { Subscriptions } from '../../../src/server/subscriptions.ts';
import { sampleJob } from '../protocol/sampleJob.ts';
import { bridgeDouble } from './bridgeDouble.ts';

describe('Subscriptions', () => {
  it('tells only what was subscribed to, at once and then at most four times a second', async () => {
    let change: (jobs: readonly JobRecord[]) => void = () => undefined;
    let watchers = 0;
    const bridge = bridgeDouble({
      onDidChangeJobs: (listener) => {
        change = listener;
        watchers += 1;
        return { dispose: () => (watchers -= 1) };
      },
    });
    const told: { uri: string; atMs: number }[] = [];
    const subscriptions = new Subscriptions(
      async () => bridge,
      (uri) => told.push({ uri, atMs: performance.now() }),
    );
    const job = sampleJob();
    const uri = `delegate://jobs/${job.id}`;
    await subscriptions.subscribe(uri);
    change([sampleJob({ id: 'another-one' })]);
    assert.equal(told.length, 0);
    const startMs = performance.now();
    while (performance.now() - startMs < 600) {
      change([job]);
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.ok(told.length >= 2, 'the last change is told too');
    assert.ok(told.length <= 4, `${told.length} notifications in 0.6 s`);
    assert.ok(told.every((note) => note.uri === uri));
    await subscriptions.unsubscribe(uri);
    assert.equal(watchers, 0, 'nobody watches the store for nothing');
  });

  it('refuses what is no resource', async () => {
    const subscriptions = new Subscriptions(
      async () => bridgeDouble({}),
      () => undefined,
    );
    await assert.rejects(subscriptions.subscribe('file:///etc/passwd'), /no resource/);
  });
});
