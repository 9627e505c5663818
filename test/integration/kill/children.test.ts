import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, it } from 'mocha';
import { listJobProcesses } from '../../../src/bridge/processes/jobProcesses.ts';
import { DIST } from '../../support/bridgeWorld.ts';
import { claudeOf, guardOf, hostOf, processesOf } from '../../support/killProcesses.ts';
import { KillWorld } from '../../support/killWorld.ts';
import { describeWithClaude } from '../../support/withClaude.ts';

const HANGING = ['write a.txt: A', 'hang 120s', 'say: late'];
const COMMAND = ['write a.txt: A', 'run: setsid tail -f /dev/null & tail -f /dev/null', 'say: no'];

describeWithClaude('a child of a job killed with -9', function () {
  this.timeout(180_000);
  let kill: KillWorld;
  afterEach(() => kill.dispose());

  for (const [where, lines, count] of [
    ['inside a model request', HANGING, 1],
    ['inside a command', COMMAND, 4],
  ] as const) {
    it(`claude ${where}: the job has failed, says how, and its work is kept`, async () => {
      kill = await KillWorld.open();
      const id = await kill.submit({ lines });
      await kill.until(
        where,
        () => kill.hasWritten(id, 'a.txt') && listJobProcesses(id).length >= count,
      );
      const next = await kill.submit();
      process.kill(claudeOf(id).pid, 'SIGKILL');
      const job = await kill.assertOver(id);
      assert.equal(job.status, 'failed');
      assert.equal(job.failure?.kind, 'runner_failed');
      assert.match(job.failure.message, /SIGKILL/);
      assert.deepEqual(
        job.filesChanged.map((file) => file.path),
        ['a.txt'],
      );
      assert.equal((await kill.world.finished(next)).status, 'done');
      await kill.assertOver(next);
      await kill.assertWorkKept(id);
    });
  }

  it('the guard: the job goes on to its end', async () => {
    kill = await KillWorld.open();
    kill.gate.set();
    const id = await kill.submit({ gate: 'held' });
    await kill.until('the gate', () => kill.gate.isReached);
    process.kill(guardOf(id).pid, 'SIGKILL');
    kill.gate.release();
    const job = await kill.assertOver(id);
    assert.equal(job.status, 'done', JSON.stringify(job.failure));
    assert.equal(job.gate?.status, 'passed');
    await kill.assertWorkKept(id);
  });

  it('the gate: it has not passed, and the work is kept', async () => {
    kill = await KillWorld.open();
    kill.gate.set();
    const id = await kill.submit({ gate: 'held' });
    await kill.until('the gate', () => kill.gate.isReached);
    for (const pid of listJobProcesses(id)) process.kill(pid, 'SIGKILL');
    const job = await kill.assertOver(id);
    assert.equal(job.status, 'done', JSON.stringify(job.failure));
    assert.equal(job.gate?.status, 'failed');
    assert.equal(job.gate.exit, null);
    await kill.assertWorkKept(id);
  });
});

describeWithClaude('signals to a job host', function () {
  this.timeout(180_000);
  let kill: KillWorld;
  afterEach(() => kill.dispose());

  for (const [stage, isEarly] of [
    ['while git makes the worktree', true],
    ['inside a model request', false],
  ] as const) {
    it(`SIGTERM ${stage}: lost, and the receipt says why`, async () => {
      kill = await KillWorld.open();
      if (isEarly) kill.smudge.set();
      const id = await kill.submit({ lines: HANGING });
      await kill.until(stage, () =>
        isEarly ? kill.smudge.isReached : kill.hasWritten(id, 'a.txt'),
      );
      process.kill(hostOf(id).pid, 'SIGTERM');
      const job = await kill.assertOver(id);
      assert.equal(job.status, 'lost');
      assert.equal(job.failure?.kind, 'lost');
      assert.match(job.failure.message, /SIGTERM/);
      if (isEarly) assert.deepEqual(kill.treeEntries(), [], 'the tree is rolled back');
      else await kill.assertWorkKept(id);
    });
  }

  it('SIGSTOP: alive and not lost, its place is taken; SIGCONT: it goes on', async () => {
    kill = await KillWorld.open();
    kill.gate.set();
    const id = await kill.submit({ gate: 'held' });
    await kill.until('the gate', () => kill.gate.isReached);
    const next = await kill.submit();
    const host = hostOf(id).pid;
    process.kill(host, 'SIGSTOP');
    kill.gate.release();
    await kill.until('the end of the gate', () => listJobProcesses(id).length === 0);
    // Every look at the queue asks who is dead.
    for (let look = 0; look < 20; look += 1) kill.world.bridge.admit();
    assert.equal(kill.job(id).status, 'gating');
    assert.equal(kill.job(next).status, 'queued');
    process.kill(host, 'SIGCONT');
    assert.equal((await kill.assertOver(id)).status, 'done');
    assert.equal((await kill.world.finished(next)).status, 'done');
  });

  it('a second host for the same job leaves at once and changes nothing', async () => {
    kill = await KillWorld.open();
    kill.gate.set();
    const id = await kill.submit({ gate: 'held' });
    await kill.until('the gate', () => kill.gate.isReached);
    const before = kill.job(id);
    const second = spawn(process.execPath, [join(DIST, 'jobHost.cjs'), id], {
      env: kill.world.env,
      stdio: 'ignore',
    });
    const [code] = (await once(second, 'exit')) as [number | null];
    assert.equal(code, 0);
    assert.deepEqual(kill.job(id), before);
    assert.equal(processesOf(id).filter(({ argv }) => argv[3] === 'delegate-guard').length, 1);
    kill.gate.release();
    assert.equal((await kill.assertOver(id)).status, 'done');
    const third = spawn(process.execPath, [join(DIST, 'jobHost.cjs'), id], {
      env: kill.world.env,
      stdio: 'ignore',
    });
    assert.deepEqual(await once(third, 'exit'), [0, null], 'nor is a job run twice');
    assert.equal(kill.job(id).status, 'done');
  });
});
