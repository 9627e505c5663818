import { after, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { startRehearsal } from '../../../src/rehearsal/startRehearsal.ts';
import { type BridgeWorld, bridgeWorld, PERSON, script } from '../../support/bridgeWorld.ts';

const TASKS = 8;

describe('many jobs submitted at once', () => {
  let world: BridgeWorld;
  let endpoint: Awaited<ReturnType<typeof startRehearsal>>;
  const asked: string[] = [];

  before(async () => {
    endpoint = await startRehearsal({ onRequest: ({ path }) => void asked.push(path) });
    world = await bridgeWorld({
      models: `endpoints:\n  tower: { base_url: ${endpoint.url}, max_concurrent: 1 }\n`,
    });
  });
  after(async () => {
    await world.dispose();
    await endpoint.close();
  });

  const submit = () =>
    world.bridge.submit(
      { task: script('hang 60s', 'say: Done.'), runner: 'loop' },
      PERSON,
      world.repo.root,
    );
  const lists = (): number => asked.filter((path) => path === '/v1/models').length;

  it('ask the endpoint once what it serves, and one that comes later asks anew', async () => {
    const records = await Promise.all(Array.from({ length: TASKS }, submit));
    assert.ok(records.every(({ status }) => status !== 'refused'));
    assert.ok(lists() < TASKS, `${lists()} questions for ${TASKS} jobs`);
    await world.until('the first job', () =>
      records.some(({ id }) => world.bridge.job(id).status === 'running'),
    );
    const before = lists();
    await submit();
    assert.equal(lists(), before + 1);
  });
});
