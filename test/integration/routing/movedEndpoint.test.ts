import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { startRehearsal } from '../../../src/rehearsal/startRehearsal.ts';
import { type BridgeWorld, bridgeWorld, PERSON, script } from '../../support/bridgeWorld.ts';

describe('an endpoint that has moved while a job waited', () => {
  let world: BridgeWorld;
  let elsewhere: Awaited<ReturnType<typeof startRehearsal>>;
  const seen: string[] = [];

  before(async () => {
    elsewhere = await startRehearsal({ onRequest: ({ path }) => void seen.push(path) });
    world = await bridgeWorld({
      models: 'endpoints:\n  tower: { base_url: URL, max_concurrent: 1 }\n',
    });
  });
  after(async () => {
    await world.dispose();
    await elsewhere.close();
  });

  it('gets nothing of the job: it was routed to another place', async () => {
    const submit = (task: string) =>
      world.bridge.submit({ task, runner: 'loop' }, PERSON, world.repo.root);
    const first = await submit(script('hang 60s', 'say: Too late.'));
    await world.until('the first job', () => world.bridge.job(first.id).status === 'running');
    const second = await submit(script('say: Done.'));
    assert.equal(second.status, 'queued');
    world.writeModels(`endpoints:\n  tower: { base_url: ${elsewhere.url} }\n`);
    await world.bridge.cancel(first.id, PERSON);
    const ended = await world.finished(second.id);
    assert.equal(ended.status, 'failed');
    assert.equal(ended.failure?.kind, 'wrong_state');
    assert.match(ended.failure.message, /was at .* when the job was taken/);
    assert.equal(ended.proof, null);
    assert.deepEqual(seen, []);
  });
});
