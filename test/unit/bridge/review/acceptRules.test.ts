import assert from 'node:assert/strict';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { BridgeError } from '../../../../src/base/bridgeError.ts';
import { readJournal } from '../../../../src/bridge/worktrees/journal.ts';
import type { ChangedFile } from '../../../../src/protocol/job.ts';
import type { JobWorld } from './jobWorld.ts';
import { withWorld } from './jobWorld.ts';

const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
const FILES = { 'a.txt': LINES, 'b.txt': 'b\n', 'sub/c.txt': 'c\n' };

async function changeAll(world: JobWorld): Promise<void> {
  await world.job({ 'a.txt': LINES.replace('two', 'TWO'), 'b.txt': 'B\n', 'sub/c.txt': 'C\n' });
}

describe('acceptChanges, rules', function () {
  this.timeout(60_000);

  it('takes only the selection, in parts, each with an undo of its own', async () => {
    await withWorld({ files: FILES }, async (world) => {
      const start = await world.state();
      await changeAll(world);
      const first = await world.accept({ selection: ['b.txt'] });
      assert.deepEqual(first.applied, [{ path: 'b.txt', how: 'written' }]);
      const between = await world.state();
      const second = await world.accept({ selection: ['sub/c.txt'] });
      assert.equal(first.undoRef, 'refs/delegate/undo/job-1/1');
      assert.equal(second.undoRef, 'refs/delegate/undo/job-1/2');
      assert.equal(await world.read('a.txt'), LINES);
      const undone = await world.undo();
      assert.deepEqual(undone.restored, ['sub/c.txt']);
      assert.deepEqual(await world.state(), between);
      assert.deepEqual((await world.undo({ n: 1 })).restored, ['b.txt']);
      assert.deepEqual(await world.state(), start);
      await assert.rejects(world.undo(), (error) => BridgeError.is(error, 'wrong_state'));
    });
  });

  it('takes an undo back', async () => {
    await withWorld({ files: FILES }, async (world) => {
      await changeAll(world);
      await world.accept();
      const accepted = await world.state();
      const undone = await world.undo();
      const n = Number(undone.undoRef?.split('/').at(-1));
      assert.equal((await world.undo({ n })).status, 'undone');
      assert.deepEqual(await world.state(), accepted);
    });
  });

  it('never overwrites on undo what was changed after the accept', async () => {
    await withWorld({ files: FILES }, async (world) => {
      await changeAll(world);
      await world.accept();
      await world.user({ 'b.txt': 'later work\n' });
      const accepted = await world.state();
      const refused = await world.undo();
      assert.equal(refused.status, 'refused');
      assert.deepEqual(
        refused.conflicts.map(({ path, reason }) => [path, reason]),
        [['b.txt', 'changed_since']],
      );
      assert.deepEqual(await world.state(), accepted);
      const partly = await world.undo({ skipConflicts: true });
      assert.deepEqual(partly.restored, ['a.txt', 'sub/c.txt']);
      assert.equal(await world.read('b.txt'), 'later work\n');
      await world.user({ 'b.txt': 'B\n' });
      assert.deepEqual(
        (await world.undo({ n: 1 })).restored,
        ['b.txt'],
        'the rest can still be undone',
      );
    });
  });

  it('refuses a path that the job has not changed', async () => {
    await withWorld({ files: FILES }, async (world) => {
      await changeAll(world);
      await assert.rejects(world.accept({ selection: ['b.txt', 'nope.txt'] }), (error) =>
        BridgeError.is(error, 'bad_argument'),
      );
      assert.equal(await world.read('b.txt'), 'b\n');
    });
  });

  for (const skipConflicts of [false, true]) {
    it(`a dirty editor blocks its file${skipConflicts ? ' only, when conflicts are skipped' : ' and the selection'}`, async () => {
      await withWorld({ files: FILES }, async (world) => {
        await changeAll(world);
        await symlink(world.repo, join(world.dir, 'by-link'));
        const result = await world.accept({
          skipConflicts,
          dirtyPaths: [join(world.dir, 'by-link', 'b.txt')],
        });
        assert.deepEqual(
          result.conflicts.map(({ path, reason }) => [path, reason]),
          [['b.txt', 'dirty_editor']],
        );
        assert.equal(result.status, skipConflicts ? 'applied' : 'refused');
        assert.equal(await world.read('b.txt'), 'b\n');
        assert.equal(await world.read('sub/c.txt'), skipConflicts ? 'C\n' : 'c\n');
      });
    });
  }

  it('skips conflicts when told to, and says refused when nothing is left', async () => {
    await withWorld({ files: FILES }, async (world) => {
      await changeAll(world);
      await world.user({ 'a.txt': LINES.replace('two', 'mine') });
      const all = await world.accept({ skipConflicts: true });
      assert.equal(all.status, 'applied');
      assert.equal(await world.read('a.txt'), LINES.replace('two', 'mine'));
      const again = await world.accept({ skipConflicts: true });
      assert.equal(again.status, 'refused');
      assert.deepEqual(
        again.skipped.map(({ path }) => path),
        ['b.txt', 'sub/c.txt'],
      );
    });
  });

  it('takes the finished text of a merge, and only a finished one', async () => {
    await withWorld({ files: FILES }, async (world) => {
      await changeAll(world);
      await world.user({ 'a.txt': LINES.replace('two', 'mine') });
      const open = Buffer.from('one\n<<<<<<< yours\nmine\n=======\nTWO\n>>>>>>> job\n');
      const refused = await world.accept({ resolved: new Map([['a.txt', open]]) });
      assert.deepEqual(
        refused.conflicts.map(({ reason }) => reason),
        ['unresolved'],
      );
      const result = await world.accept({
        resolved: new Map([['a.txt', Buffer.from('solved\r\n')]]),
      });
      assert.equal(result.status, 'applied');
      assert.equal(result.coverage, 'merged');
      assert.equal(await world.read('a.txt'), 'solved\r\n');
    });
  });

  it('says exact when the checkout got what the gate saw, merged when not', async () => {
    await withWorld({ files: FILES }, async (world) => {
      await changeAll(world);
      assert.equal((await world.accept({ dryRun: true })).coverage, 'exact');
      await world.user({ 'a.txt': LINES.replace('seven', 'SEVEN') });
      assert.equal((await world.accept()).coverage, 'merged');
    });
  });

  const hostile = [
    '../out.txt',
    '/etc/x',
    '.git/config',
    'sub/.GIT/hooks/post-checkout',
    '.git./config',
    'git~1/config',
    'a//b',
    './a',
    '.g\u200cit/config',
    '.git::$INDEX_ALLOCATION/config',
  ];
  it('refuses paths that leave the checkout or reach into a git directory', async () => {
    await withWorld({ files: FILES }, async (world) => {
      const before = await world.state(world.dir);
      for (const path of hostile) {
        const file: ChangedFile = {
          path,
          oldPath: null,
          change: 'added',
          additions: 1,
          deletions: 0,
          binary: false,
          oldMode: null,
          newMode: '100644',
        };
        for (const files of [
          [file],
          [{ ...file, path: 'b.txt', oldPath: path, change: 'renamed' as const }],
        ]) {
          const result = await world.accept({ files, skipConflicts: true });
          assert.equal(result.status, 'refused', path);
          assert.deepEqual(
            result.conflicts.map(({ reason }) => reason),
            ['forbidden'],
            path,
          );
        }
      }
      await rm(join(world.stateDir, 'locks'), { recursive: true });
      await rm(join(world.dir, 'changes-index'), { force: true });
      assert.deepEqual(await world.state(world.dir), before);
    });
  });

  it('refuses files outside the workspace folder of the job', async () => {
    await withWorld({ files: FILES }, async (world) => {
      await changeAll(world);
      const allowedRoot = join(world.repo, 'sub');
      const refused = await world.accept({ allowedRoot });
      assert.deepEqual(
        refused.conflicts.map(({ path, reason }) => [path, reason]),
        [
          ['a.txt', 'forbidden'],
          ['b.txt', 'forbidden'],
        ],
      );
      assert.equal(
        (await world.accept({ allowedRoot, selection: ['sub/c.txt'] })).status,
        'applied',
      );
      assert.equal(
        (await world.accept({ allowedRoot: world.dir, selection: ['b.txt'] })).status,
        'applied',
        'a workspace above',
      );
      await mkdir(join(world.dir, 'beside'));
      assert.equal(
        (await world.accept({ allowedRoot: join(world.dir, 'beside'), selection: ['a.txt'] }))
          .status,
        'refused',
      );
    });
  });

  it('a disk that fills up at any step leaves the checkout as it was', async () => {
    await withWorld({ files: FILES }, async (world) => {
      await changeAll(world);
      await rm(join(world.root, 'b.txt'));
      await world.job({ 'new/d.txt': 'd\n' });
      const before = await world.state();
      for (let failAt = 0, isDone = false; !isDone; failAt++) {
        let step = 0;
        let name = '';
        const onStep = (current: string) => {
          name = current;
          if (step++ === failAt)
            throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
        };
        try {
          assert.equal((await world.accept({ onStep })).status, 'applied');
          isDone = true;
          assert.ok(failAt > 8, `only ${failAt} steps`);
        } catch (error) {
          assert.ok(BridgeError.is(BridgeError.from(error), 'storage_full'), String(error));
          if (name === 'finish' || name === 'clear journal') {
            // All files are written by then: what is open is the bookkeeping, which the next start settles.
            await world.undo();
          }
          assert.deepEqual(await world.state(), before, `at ${name}`);
          assert.equal(await readJournal(world.jobDir), null);
        }
      }
    });
  });

  it('a file that is saved between the plan and its write refuses and takes back the whole accept', async () => {
    await withWorld({ files: FILES }, async (world) => {
      await changeAll(world);
      const onStep = async (name: string) => {
        if (name === 'write sub/c.txt') await world.user({ 'sub/c.txt': 'saved just now\n' });
      };
      const result = await world.accept({ onStep });
      assert.equal(result.status, 'refused');
      assert.deepEqual(
        result.conflicts.map(({ path, reason }) => [path, reason]),
        [['sub/c.txt', 'changed_meanwhile']],
      );
      assert.equal(await world.read('a.txt'), LINES);
      assert.equal(await world.read('sub/c.txt'), 'saved just now\n');
      assert.deepEqual(world.undoRefs(), []);
    });
  });

  it('a parent that becomes a link between the plan and the write is not followed', async () => {
    await withWorld({ files: FILES }, async (world) => {
      await changeAll(world);
      await mkdir(join(world.dir, 'outside'));
      const onStep = async (name: string) => {
        if (name !== 'write sub/c.txt') return;
        await rm(join(world.repo, 'sub'), { recursive: true });
        await symlink('../outside', join(world.repo, 'sub'));
      };
      // The file itself went with its folder, so that taking back cannot restore it: that is said, nothing leaves the checkout.
      await assert.doesNotReject(
        world.accept({ onStep }).catch((error: unknown) => assert.ok(error instanceof BridgeError)),
      );
      assert.deepEqual(await world.state(join(world.dir, 'outside')), {});
      assert.equal(await world.read('a.txt'), LINES);
    });
  });

  it('works from a detached HEAD and with staged and conflicted files in the index', async () => {
    await withWorld({ files: FILES }, async (world) => {
      await changeAll(world);
      world.run('checkout', '-q', '--detach');
      await world.user({ 'staged.txt': 's\n', 'b.txt': 'staged b\n' });
      world.run('add', 'staged.txt', 'b.txt');
      await world.user({ 'b.txt': 'b\n' });
      const untouchables = await world.untouchables();
      assert.equal((await world.accept()).status, 'applied');
      assert.deepEqual(await world.untouchables(), untouchables);
    });
  });

  it('fails when the worktree has been emptied, and the checkout stays as it is', async () => {
    await withWorld({ files: FILES }, async (world) => {
      await changeAll(world);
      const options = world.options();
      await rm(world.root, { recursive: true });
      await mkdir(world.root);
      const before = await world.state();
      await assert.rejects(world.accept(options), (error) =>
        BridgeError.is(error, 'worktree_gone'),
      );
      assert.deepEqual(await world.state(), before);
    });
  });
});

describe('acceptChanges on the branch', function () {
  this.timeout(60_000);

  it('commits the selection with the provenance trailer and merges nothing', async () => {
    await withWorld({ files: FILES }, async (world) => {
      await changeAll(world);
      const before = await world.state();
      const rootBefore = await world.state(world.root);
      const head = world.run('rev-parse', 'HEAD');
      const provenance = {
        by: 'person:cli',
        model: 'qwen\nSigned-off-by: x',
        endpoint: 'lan',
        job: 'job-1',
        gate: 'tests passed',
      };
      const result = await world.accept({ how: 'branch', selection: ['b.txt'], provenance });
      assert.equal(result.status, 'applied');
      assert.equal(world.run('rev-parse', world.branch), result.commit);
      assert.equal(world.run('diff', '--name-only', 'HEAD', world.branch), 'b.txt');
      assert.deepEqual(
        world.run('log', '-1', '--format=%(trailers)', world.branch).trim().split('\n'),
        [
          'Delegated-By: person:cli',
          'Delegated-Model: qwen Signed-off-by: x',
          'Delegated-Endpoint: lan',
          'Delegated-Job: job-1',
          'Delegated-Gate: tests passed',
        ],
      );
      assert.equal(world.run('rev-parse', 'HEAD'), head);
      assert.deepEqual(await world.state(), before);
      assert.deepEqual(await world.state(world.root), rootBefore);
      assert.deepEqual(world.runIn(world.root, 'status', '--porcelain').split('\n').sort(), [
        ' M a.txt',
        ' M sub/c.txt',
      ]);
    });
  });

  it('names the worktree that holds the branch', async () => {
    await withWorld({ files: FILES }, async (world) => {
      await changeAll(world);
      world.runIn(world.root, 'checkout', '-q', '--detach');
      const other = join(world.dir, 'other');
      world.run('worktree', 'add', '-q', other, world.branch);
      await assert.rejects(world.accept({ how: 'branch' }), (error) => {
        assert.ok(BridgeError.is(error, 'conflict'));
        assert.ok(error.message.includes(other));
        return true;
      });
    });
  });
});
