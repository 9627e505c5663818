import assert from 'node:assert/strict';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { bridgeWorld, script, type BridgeWorld } from '../../support/bridgeWorld.ts';

const models = (format: string): string =>
  `endpoints: { rehearsal: { base_url: URL, format: ${format}, max_concurrent: 50 } }\n`;

describe('a resumed loop job', function () {
  this.timeout(90_000);
  let world: BridgeWorld;
  before(async () => {
    world = await bridgeWorld();
  });
  after(() => world.dispose());

  const requests = (id: string): Record<string, unknown>[] =>
    world
      .log(id, 'requests.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  for (const format of ['anthropic', 'openai']) {
    it(`${format}: goes on with everything that was said, in the same tree, as often as one likes`, async () => {
      world.writeModels(models(format));
      const first = await world.run({
        runner: 'loop',
        task: script('write one.txt: one', 'say: Wrote one.'),
      });
      assert.equal(first.status, 'done', JSON.stringify(first.failure));
      const second = await world.run({
        runner: 'loop',
        resumeJob: first.id,
        task: script('read one.txt', 'write two.txt: two', 'say: Wrote two.'),
      });
      assert.equal(second.status, 'done', JSON.stringify(second.failure));
      assert.equal(second.result, 'Wrote two.');
      assert.equal(second.resumedFrom, first.id);
      assert.deepEqual([first.sessionId, second.sessionId], [first.id, first.id]);
      assert.equal(second.worktree?.id, first.id);
      assert.deepEqual(
        second.filesChanged.map(({ path }) => path),
        ['one.txt', 'two.txt'],
      );
      // The task, its call and result and report, and the new task.
      assert.equal(requests(second.id)[0]?.['messages'], 5);

      const third = await world.run({
        runner: 'loop',
        resumeJob: second.id,
        task: script('write three.txt: three', 'say: Wrote three.'),
      });
      assert.equal(third.status, 'done', JSON.stringify(third.failure));
      assert.equal(third.sessionId, first.id);
      assert.equal(requests(third.id)[0]?.['messages'], 11);
      const history = world.log(third.id, 'history.jsonl');
      for (const part of ['Wrote one.', 'Wrote two.', 'Wrote three.'])
        assert.ok(history.includes(part), part);
      assert.equal(
        statSync(join(world.repo.stateDir, 'jobs', third.id, 'history.jsonl')).mode & 0o777,
        0o600,
      );
      // It was told where it works once: the same words stand before everything that was said.
      assert.equal(history.split('Work folder:').length, 2);
    });
  }

  it('whose history is gone says so, and asks no model', async () => {
    const first = await world.run({
      runner: 'loop',
      task: script('write x.txt: x', 'say: Wrote x.'),
    });
    rmSync(join(world.repo.stateDir, 'jobs', first.id, 'history.jsonl'));
    const second = await world.run({
      runner: 'loop',
      resumeJob: first.id,
      task: script('say: never'),
    });
    assert.equal(second.status, 'failed');
    assert.equal(second.failure?.kind, 'wrong_state');
    assert.equal(second.proof, null);
    assert.equal(world.log(second.id, 'requests.jsonl'), '');
  });
});
