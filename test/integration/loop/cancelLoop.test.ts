import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { listJobProcesses } from '../../../src/bridge/processes/jobProcesses.ts';
import type { JobRecord, JobRequest } from '../../../src/protocol/job.ts';
import { bridgeWorld, PERSON, script, type BridgeWorld } from '../../support/bridgeWorld.ts';

describe('the end of a loop job from outside', function () {
  this.timeout(90_000);
  let world: BridgeWorld;
  before(async () => {
    world = await bridgeWorld();
  });
  after(() => world.dispose());

  const start = async (request: Partial<JobRequest> & { task: string }): Promise<string> => {
    const { id } = await world.bridge.submit(
      { runner: 'loop', cwd: world.repo.root, ...request },
      PERSON,
      world.repo.root,
    );
    return id;
  };
  const transcriptHas = (id: string, pattern: RegExp): Promise<true> =>
    world.until(
      `${pattern.source} in the transcript`,
      () => pattern.test(world.log(id, 'transcript.txt')) || null,
    );

  const LIMITS: { name: string; lines: readonly string[] }[] = [
    { name: 'in a command', lines: ['say: I wait.', 'run: sleep 304', 'say: never'] },
    { name: 'in an answer', lines: ['write a.txt: a', 'hang 60s', 'say: never'] },
  ];
  for (const { name, lines } of LIMITS) {
    it(`the time limit of the job holds ${name}, and what was done stays`, async () => {
      const id = await start({ timeoutS: 4, task: script(`# ${name}`, ...lines) });
      const record = await world.finished(id);
      assert.equal(record.status, 'timeout', JSON.stringify(record.failure));
      assert.equal(record.failure?.kind, 'timeout');
      assert.deepEqual(listJobProcesses(id), []);
      assert.ok(record.turns !== null && record.turns >= 1);
      assert.ok(record.usage.input !== null);
    });
  }

  it('a job goes on after a cancel, with an answer for the command that was cut short', async () => {
    const id = await start({ task: script('run: sleep 305', 'say: never') });
    await transcriptHas(id, /\[tool\] run_bash/);
    await world.bridge.cancel(id, PERSON);
    await world.finished(id);
    const record: JobRecord = await world.run({
      runner: 'loop',
      resumeJob: id,
      task: script('write b.txt: b', 'say: Went on.'),
    });
    assert.equal(record.status, 'done', JSON.stringify(record.failure));
    assert.equal(record.result, 'Went on.');
    assert.equal(record.sessionId, id);
  });

  // The last of them comes last: a stated pause holds for every job after it.
  const CANCELS: { name: string; lines: readonly string[]; at: RegExp }[] = [
    {
      name: 'a command and what it started in the background',
      lines: ['run: sleep 301 & setsid sleep 302 & sleep 303', 'say: never'],
      at: /\[tool\] run_bash/,
    },
    {
      name: 'a model that is silent',
      lines: ['write a.txt: a', 'hang 60s', 'say: never'],
      at: /\[result\]/,
    },
    {
      name: 'the pause before another attempt',
      lines: ['write a.txt: a', 'status 429 retry-after=60', 'say: never'],
      at: /\[retry 1\]/,
    },
  ];
  for (const { name, lines, at } of CANCELS) {
    it(`cancel ends ${name}`, async () => {
      const id = await start({ task: script(`# ${name}`, ...lines) });
      await transcriptHas(id, at);
      const startedMs = performance.now();
      await world.bridge.cancel(id, PERSON);
      const record = await world.finished(id);
      assert.ok(performance.now() - startedMs < 15_000);
      assert.equal(record.status, 'cancelled');
      assert.equal(record.failure?.kind, 'cancelled');
      assert.deepEqual(listJobProcesses(id), []);
      assert.ok((record.turns ?? 0) >= 1);
      if (name !== CANCELS[0]?.name)
        assert.deepEqual(
          record.filesChanged.map(({ path }) => path),
          ['a.txt'],
        );
    });
  }
});
