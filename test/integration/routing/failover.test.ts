import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { JobRequest } from '../../../src/protocol/job.ts';
import { startRehearsal, type Rehearsal } from '../../../src/rehearsal/startRehearsal.ts';
import { bridgeWorld, PERSON, script, type BridgeWorld } from '../../support/bridgeWorld.ts';

const CONFIG = (far: string, more = ''): string => `
endpoints:
  near: { base_url: URL, max_concurrent: 50 }
  far: { base_url: "${far}", max_concurrent: 50 }
pools: { rehearsal: { slots: 1 }, understudy: { slots: 1 } }
failover: { grace_s: 1, chains: { rehearsal: [understudy] }${more} }
`;

describe('failover of jobs', function () {
  this.timeout(120_000);
  let world: BridgeWorld;
  let far: Rehearsal;
  beforeEach(async () => {
    far = await startRehearsal({ model: 'understudy' });
    world = await bridgeWorld({ models: CONFIG(far.url) });
  });
  afterEach(async () => {
    await world.dispose();
    await far.close();
  });
  const request = (...lines: string[]) => ({
    task: script(...lines),
    cwd: world.repo.root,
    runner: 'loop' as const,
    model: 'rehearsal',
  });
  const submit = (more: Partial<JobRequest>, ...lines: string[]) =>
    world.bridge.submit({ ...request(...lines), ...more }, PERSON, world.repo.root);

  it('a full pool: the stand-in does the work, and receipt, list and log say so', async () => {
    const first = await submit({}, 'hang 60s', 'say: Late.');
    // It works for longer than the third has its turn.
    const second = await submit({}, 'hang 4s', 'say: Done by another.');
    const third = await submit({}, 'say: In turn.');
    assert.equal(second.fallback?.to, 'understudy', JSON.stringify(second));
    assert.equal(third.fallback, null);
    assert.equal(third.queueReason, 'pool_full');
    assert.match((await world.cli('models')).stdout, new RegExp(`1\\. ${third.id}.*pool full`));
    const done = await world.finished(second.id);
    assert.equal(done.status, 'done', JSON.stringify(done.failure));
    assert.deepEqual(done.fallback, {
      from: 'rehearsal',
      to: 'understudy',
      reason: 'the pool rehearsal was full',
    });
    assert.deepEqual([done.endpoint, done.modelServed], ['far', 'understudy']);
    assert.equal(done.proof?.endpoint, 'far');
    assert.match(done.warnings.join('\n'), /understudy at far stands in for rehearsal at near/);
    const shown = await world.cli('show', done.id);
    assert.match(shown.stdout, /from rehearsal to understudy: the pool rehearsal was full/);
    assert.match((await world.cli('jobs')).stdout, /fallback from rehearsal/);
    const { model: _model, ...more } = request('say: And more.');
    const resumed = await world.run({ ...more, resumeJob: done.id });
    assert.equal(resumed.status, 'done', JSON.stringify(resumed.failure));
    assert.deepEqual([resumed.endpoint, resumed.modelServed], ['far', 'understudy']);

    // The third had its turn while the understudy was busy; now only its own pool will do.
    assert.equal(world.bridge.job(third.id).status, 'queued');
    await world.bridge.cancel(first.id, PERSON);
    const last = await world.finished(third.id);
    assert.deepEqual([last.status, last.fallback, last.endpoint], ['done', null, 'near']);
  });

  it('no stand-in for a call that names its endpoint, nor for a pinned model; explain_route says why', async () => {
    const explained = async (more: Partial<JobRequest> = {}): Promise<string> => {
      const told = await world.bridge.explainRoute({ ...request(), ...more }, world.repo.root);
      return told.considered.map(({ model, reason }) => `${model}: ${reason}`).join('\n');
    };
    assert.match(await explained(), /understudy: stand-in 1 of the chain/);
    await submit({}, 'hang 60s', 'say: Late.');
    const named = await submit({ endpoint: 'near' }, 'say: x');
    assert.deepEqual([named.status, named.fallback], ['queued', null]);
    assert.doesNotMatch(await explained({ endpoint: 'near' }), /stand-in/);
    for (const [pinned, why] of [
      ['rehe', /understudy: no stand-in: the model asked for is pinned/],
      ['UNDER', /understudy: no stand-in: it is pinned/],
    ] as const) {
      world.writeModels(CONFIG(far.url, `, pinned: [${pinned}]`));
      assert.match(await explained(), why);
      const job = await submit({}, 'say: x');
      assert.deepEqual([job.status, job.fallback], ['queued', null], pinned);
    }
  });
});
