import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { afterEach, it } from 'mocha';
import { listJobProcesses } from '../../../src/bridge/processes/jobProcesses.ts';
import { withRepositoryLock } from '../../../src/bridge/worktrees/repositoryLock.ts';
import { allProcesses, guardOf, hostOf, processesOf } from '../../support/killProcesses.ts';
import { KillWorld } from '../../support/killWorld.ts';
import { describeWithClaude } from '../../support/withClaude.ts';

interface Stage {
  readonly name: string;
  readonly status: string;
  readonly lines: readonly string[];
  readonly gate?: string;
  readonly files: readonly string[];
  /** Sets what stops the job there, before it is queued. */
  readonly arm?: (kill: KillWorld) => void;
  readonly isReached: (kill: KillWorld, id: string) => boolean;
}

const STAGES: readonly Stage[] = [
  {
    name: 'inside a model request',
    status: 'running',
    lines: ['write a.txt: A', 'hang 120s', 'say: late'],
    files: ['a.txt'],
    isReached: (kill, id) => kill.hasWritten(id, 'a.txt') && kill.world.rehearsal.requests() >= 2,
  },
  {
    name: 'inside a command with a child in a session of its own',
    status: 'running',
    lines: ['write a.txt: A', 'run: setsid tail -f /dev/null & tail -f /dev/null', 'say: late'],
    files: ['a.txt'],
    isReached: (_kill, id) =>
      processesOf(id).filter(({ argv }) => argv.join(' ') === 'tail -f /dev/null').length === 2,
  },
  {
    name: 'while the gate runs',
    status: 'gating',
    lines: ['write a.txt: A', 'say: ok'],
    gate: 'held',
    files: ['a.txt'],
    arm: (kill) => kill.gate.set(),
    isReached: (kill) => kill.gate.isReached,
  },
  {
    name: 'after the session, before the receipt',
    status: 'running',
    lines: ['write a.slow: A', 'say: ok'],
    files: ['a.slow'],
    arm: (kill) => kill.clean.set(),
    isReached: (kill) => kill.clean.isReached,
  },
];

describeWithClaude('a job host killed with -9', function () {
  this.timeout(180_000);
  let kill: KillWorld;
  afterEach(() => kill.dispose());

  it('what it had done to the config of the repository is put back and told, and its changes are listed', async () => {
    kill = await KillWorld.open();
    const { repo, bridge } = kill.world;
    const before = repo.fingerprint();
    const id = await kill.submit({
      lines: ['write a.txt: A', 'run: git config core.fsmonitor evil', 'hang 120s', 'say: late'],
    });
    await kill.until('the command', () => kill.job(id).commands.run === 1);
    assert.notDeepEqual(repo.fingerprint(), before);
    process.kill(hostOf(id).pid, 'SIGKILL');
    const settled = await kill.until('the settled job', () => {
      const job = bridge.list().find((each) => each.id === id);
      return job !== undefined && job.tampered.length > 0 && job;
    });
    assert.equal(settled.status, 'lost');
    assert.match(settled.tampered.join(), /fsmonitor/);
    assert.deepEqual(
      settled.filesChanged.map((file) => file.path),
      ['a.txt'],
    );
    assert.deepEqual(repo.fingerprint(), before);
    assert.deepEqual(settled.warnings, []);
  });

  for (const stage of STAGES) {
    it(`${stage.name}: lost with its work kept, and the next job starts`, async () => {
      kill = await KillWorld.open();
      stage.arm?.(kill);
      const gate = stage.gate === undefined ? {} : { gate: stage.gate };
      const id = await kill.submit({ lines: stage.lines, ...gate });
      await kill.until(stage.name, () => stage.isReached(kill, id));
      const next = await kill.submit();
      assert.equal(kill.job(id).status, stage.status);
      assert.equal(kill.job(next).queueReason, 'pool_full');
      process.kill(hostOf(id).pid, 'SIGKILL');
      await kill.until('the end of what it ran', () => listJobProcesses(id).length === 0);
      kill.gate.release();
      kill.clean.release();

      const job = await kill.assertOver(id);
      assert.equal(job.status, 'lost');
      assert.equal(job.failure?.kind, 'lost');
      assert.match(job.failure.message, new RegExp(stage.status));
      assert.equal((await kill.world.finished(next)).status, 'done');
      await kill.assertOver(next);
      await kill.assertWorkKept(id, stage.files);
    });
  }

  it('while it waits for the repository: nothing is left, and the next job is not in its way', async () => {
    kill = await KillWorld.open();
    const { repo } = kill.world;
    const commonDir = repo.path('.git');
    let [first, next] = ['', ''];
    await withRepositoryLock({ stateDir: repo.stateDir, commonDir }, async () => {
      first = await kill.submit();
      await kill.until('the marker of its tree', () => markersOf(kill).length === 1);
      next = await kill.submit();
      assert.equal(kill.job(first).status, 'starting');
      process.kill(hostOf(first).pid, 'SIGKILL');
      assert.equal((await kill.assertOver(first)).status, 'lost');
    });
    assert.equal((await kill.world.finished(next)).status, 'done');
    await kill.assertOver(next);
    assertNoTree(kill, first);
  });

  it('while git makes the worktree: git ends with it, the half-made tree goes, the next job is not in its way', async () => {
    kill = await KillWorld.open();
    kill.smudge.set();
    const first = await kill.submit();
    await kill.until('git in the middle of it', () => kill.smudge.isReached);
    const next = await kill.submit();
    assert.match(kill.world.repo.git('worktree', 'list'), new RegExp(first), 'it is registered');
    process.kill(hostOf(first).pid, 'SIGKILL');
    // The filter is still held: whatever of git lived on would hang here for ever.
    const lost = await kill.assertOver(first);
    kill.smudge.release();
    assert.equal(lost.status, 'lost');
    assert.match(lost.failure?.message ?? '', /starting/);
    assert.equal(lost.review.status, 'none');
    assert.equal((await kill.world.finished(next)).status, 'done');
    await kill.assertOver(next);
    assertNoTree(kill, first);
  });

  it('with its guard: whoever looks next ends what it ran, and only then gives the place away', async () => {
    kill = await KillWorld.open();
    const lines = [
      'write a.txt: A',
      'run: setsid tail -f /dev/null & tail -f /dev/null',
      'say: no',
    ];
    const id = await kill.submit({ lines });
    await kill.until('the command', () => listJobProcesses(id).length >= 4);
    const next = await kill.submit();
    const host = hostOf(id).pid;
    process.kill(guardOf(id).pid, 'SIGKILL');
    process.kill(host, 'SIGKILL');
    await kill.until('its end', () => !allProcesses().some(({ pid }) => pid === host));
    assert.equal((await kill.world.finished(next)).status, 'done');
    assert.equal((await kill.assertOver(id)).status, 'lost');
    await kill.assertWorkKept(id);
  });

  it('is known as dead also when its lock file is gone, as after a restart of the machine', async () => {
    kill = await KillWorld.open();
    const id = await kill.submit({ lines: ['write a.txt: A', 'hang 120s', 'say: late'] });
    await kill.until('the file', () => kill.hasWritten(id, 'a.txt'));
    process.kill(hostOf(id).pid, 'SIGKILL');
    await kill.until('the end of all', () => processesOf(id).length === 0);
    kill.removeLocks();
    assert.equal((await kill.assertOver(id)).status, 'lost');
    await kill.assertWorkKept(id);
  });
});

function markersOf(kill: KillWorld): string[] {
  return kill.treeEntries().filter((name) => name.endsWith('.json'));
}

/** No directory, marker, registration, branch or ref. */
function assertNoTree(kill: KillWorld, id: string): void {
  const { repo } = kill.world;
  assert.deepEqual(
    kill.treeEntries().filter((name) => name.includes(id)),
    [],
  );
  assert.doesNotMatch(repo.git('worktree', 'list', '--porcelain'), new RegExp(id));
  assert.doesNotMatch(repo.git('for-each-ref'), new RegExp(id));
  assert.equal(existsSync(repo.path('.git', 'worktrees', id)), false);
}
