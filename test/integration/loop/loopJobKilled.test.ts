import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { afterEach, describe, it } from 'mocha';
import { bridgeWorld, PERSON, script, type BridgeWorld } from '../../support/bridgeWorld.ts';
import { hostOf, processesOf } from '../../support/killProcesses.ts';
import { skipBecause } from '../../support/skipBecause.ts';

describe('a loop job that something ends from below', function () {
  this.timeout(90_000);
  let world: BridgeWorld;
  let mounted: string | null = null;
  afterEach(async () => {
    if (mounted !== null) spawnSync('umount', ['--lazy', mounted]);
    mounted = null;
    await world.dispose();
  });

  it('killed with -9 inside a command: nothing outlives it, it is lost, and a resume goes on with what was said', async function () {
    if (process.platform !== 'linux') skipBecause(this, 'looks at /proc');
    world = await bridgeWorld();
    const { id } = await world.bridge.submit(
      {
        runner: 'loop',
        cwd: world.repo.root,
        task: script(
          'write a.txt: A',
          'run: setsid tail -f /dev/null & tail -f /dev/null',
          'say: late',
        ),
      },
      PERSON,
      world.repo.root,
    );
    await world.until(
      'the command',
      () => /run_bash/.test(world.log(id, 'transcript.txt')) || null,
    );
    process.kill(hostOf(id).pid, 'SIGKILL');
    await world.until('the end of its processes', () => processesOf(id).length === 0);
    const lost = await world.until('the settled job', () => {
      const job = world.bridge.list().find((each) => each.id === id);
      return job?.status === 'lost' && job.filesChanged.length > 0 && job;
    });
    assert.deepEqual(
      lost.filesChanged.map(({ path }) => path),
      ['a.txt'],
    );

    const record = await world.run({
      runner: 'loop',
      resumeJob: id,
      task: script('read a.txt', 'write b.txt: B', 'say: Went on.'),
    });
    assert.equal(record.status, 'done', JSON.stringify(record.failure));
    assert.deepEqual(
      record.filesChanged.map(({ path }) => path),
      ['a.txt', 'b.txt'],
    );
    const [first] = world.log(record.id, 'requests.jsonl').split('\n');
    // Task, call, result, the call that was cut short, its answer, the new task.
    assert.equal((JSON.parse(first ?? '') as { messages: number }).messages, 6);
  });

  it('a full disk: it fails for that reason, with its receipt and its work', async function () {
    world = await bridgeWorld();
    const { stateDir } = world.repo;
    const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', stateDir]);
    if (mount.status !== 0) skipBecause(this, 'only root can mount a small file system');
    mounted = stateDir;
    const bridge = world.openBridge();
    try {
      const { id } = await bridge.submit(
        {
          runner: 'loop',
          cwd: world.repo.root,
          timeoutS: 60,
          task: script(
            'write a.txt: A',
            'run: dd if=/dev/zero of=big bs=4k count=100000; seq 1500',
            'run: seq 3000',
            'run: seq 3001',
            'run: seq 3002',
            'hang 60s',
            'say: ok',
          ),
        },
        PERSON,
        world.repo.root,
      );
      const { finished } = await bridge.wait([id], { mode: 'all', timeoutMs: 80_000 });
      const [job] = finished;
      assert.equal(job?.status, 'failed', world.hostLog(id));
      assert.equal(job.failure?.kind, 'storage_full', JSON.stringify(job.failure));
      assert.equal(job.worktree?.kept, true);
      assert.equal(job.review.status, 'pending');
    } finally {
      await bridge.dispose();
    }
  });
});
