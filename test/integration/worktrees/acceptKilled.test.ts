import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { recoverAccept } from '../../../src/bridge/worktrees/acceptRecover.ts';
import { readJournal } from '../../../src/bridge/worktrees/journal.ts';
import { JobWorld } from '../../unit/bridge/review/jobWorld.ts';

const CHILD = new URL('../../unit/bridge/review/killedChild.ts', import.meta.url).pathname;
const TEXT = 'one\ntwo\nthree\nfour\nfive\n';

/** A change of every kind in one job. */
async function mixedWorld(): Promise<JobWorld> {
  const world = await JobWorld.create({
    files: {
      'edit.txt': TEXT,
      'gone.txt': 'gone\n',
      'old.txt': `${TEXT}renamed\n`,
      thing: 'file\n',
      'folder/x.txt': 'x\n',
      link: { link: 'edit.txt' },
    },
  });
  await world.user({ 'edit.txt': TEXT.replace('one', 'ONE'), 'untracked.txt': 'mine\n' });
  await world.job({
    'edit.txt': TEXT.replace('five', 'FIVE'),
    'new/deep.txt': 'new\n',
    link: { link: 'new' },
  });
  await rm(join(world.root, 'gone.txt'));
  await rename(join(world.root, 'old.txt'), join(world.root, 'moved.txt'));
  await rm(join(world.root, 'thing'));
  await world.job({ 'thing/inner.txt': { content: 'inner text\n', perm: 0o755 } });
  await rm(join(world.root, 'folder'), { recursive: true });
  await world.job({ folder: 'now a file with other text\n' });
  return world;
}

function child(
  world: JobWorld,
  action: string,
  killAt: number,
): { killed: boolean; status: string | null } {
  const { git: _git, ...options } = world.options();
  const result = spawnSync(process.execPath, [CHILD, JSON.stringify({ action, killAt, options })], {
    env: { ...world.env, NODE_NO_WARNINGS: '1' },
    encoding: 'utf8',
  });
  if (result.signal === 'SIGKILL') return { killed: true, status: null };
  assert.equal(result.status, 0, result.stderr);
  return { killed: false, status: (JSON.parse(result.stdout) as { status: string }).status };
}

describe('an accept killed with -9', function () {
  this.timeout(240_000);

  for (const action of ['accept', 'undo'] as const) {
    it(`leaves the checkout wholly done or wholly as before, at every step of ${action}`, async () => {
      const world = await mixedWorld();
      try {
        const plain = await world.state();
        const untouchables = await world.untouchables();
        assert.equal((await world.accept()).status, 'applied');
        const accepted = await world.state();
        if (action === 'accept') await world.undo();
        const [before, after] = action === 'accept' ? [plain, accepted] : [accepted, plain];
        const seen = { undone: 0, finished: 0 };
        let killAt = 0;
        for (; ; killAt++) {
          const refs = world.undoRefs();
          const { killed } = child(world, action, killAt);
          if (!killed) break;
          const recovered = await recoverAccept({
            git: world.git,
            stateDir: world.stateDir,
            jobDir: world.jobDir,
          });
          assert.deepEqual(recovered.left, []);
          assert.equal(await readJournal(world.jobDir), null);
          const state = await world.state();
          if (recovered.status === 'finished') {
            assert.deepEqual(state, after, `finished after a kill at step ${killAt}`);
            seen.finished += 1;
            await reset(world, action);
          } else {
            assert.deepEqual(state, before, `undone after a kill at step ${killAt}`);
            if (recovered.status === 'undone') {
              assert.deepEqual(world.undoRefs(), refs);
              seen.undone += 1;
            }
          }
          assert.deepEqual(await world.untouchables(), untouchables);
          assert.deepEqual(await world.state(), before);
        }
        assert.deepEqual(await world.state(), after);
        assert.ok(
          killAt > 15 && seen.undone > 10 && seen.finished > 0,
          JSON.stringify({ killAt, ...seen }),
        );
      } finally {
        await world.dispose();
      }
    });
  }

  it('recovers when the recovery is killed as well, at every step of it', async () => {
    const world = await mixedWorld();
    try {
      const before = await world.state();
      // Number 16 lies among the writes: deletions are done, some files are new.
      assert.ok(child(world, 'accept', 16).killed);
      assert.notDeepEqual(await world.state(), before);
      for (let killAt = 0; ; killAt++) {
        if (!child(world, 'recover', killAt).killed) break;
        assert.notEqual(await readJournal(world.jobDir), null);
      }
      assert.deepEqual(await world.state(), before);
      assert.deepEqual(world.undoRefs(), []);
    } finally {
      await world.dispose();
    }
  });

  it('leaves alone, and names, what somebody wrote after the kill', async () => {
    const world = await mixedWorld();
    try {
      assert.ok(child(world, 'accept', 18).killed);
      await world.user({ 'edit.txt': 'written after the crash\n' });
      const recovered = await recoverAccept({
        git: world.git,
        stateDir: world.stateDir,
        jobDir: world.jobDir,
      });
      assert.equal(recovered.status, 'undone');
      assert.deepEqual(recovered.left, ['edit.txt']);
      assert.equal(await world.read('edit.txt'), 'written after the crash\n');
      assert.equal(await world.read('gone.txt'), 'gone\n');
      assert.equal(world.undoRefs().length, 1, 'the versions before stay reachable');
    } finally {
      await world.dispose();
    }
  });
});

/** Back to the state before the action, once it has been carried out. */
async function reset(world: JobWorld, action: 'accept' | 'undo'): Promise<void> {
  if (action === 'accept') assert.equal((await world.undo()).status, 'undone');
  else assert.equal((await world.accept()).status, 'applied');
}
