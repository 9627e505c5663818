import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { BridgeError } from '../../../src/base/bridgeError.ts';
import { listChanges } from '../../../src/bridge/worktrees/changeList.ts';
import { rejectJob, type RejectOptions } from '../../../src/bridge/worktrees/rejectJob.ts';
import { restoreRejected } from '../../../src/bridge/worktrees/restoreRejected.ts';
import { writeMarker } from '../../../src/bridge/worktrees/worktreeMarker.ts';
import { JOB, withWorld, type JobWorld, type Tree } from '../../unit/bridge/review/jobWorld.ts';

function rejectOptions(world: JobWorld, overrides: Partial<RejectOptions> = {}): RejectOptions {
  return {
    git: world.git,
    stateDir: world.stateDir,
    repoRoot: world.repo,
    root: world.root,
    branch: world.branch,
    base: world.base,
    jobDir: world.jobDir,
    jobId: JOB,
    tooLarge: 'refuse',
    ...overrides,
  };
}

const restoreOptions = (world: JobWorld) => ({
  git: world.git,
  stateDir: world.stateDir,
  repoRoot: world.repo,
  jobDir: world.jobDir,
  jobId: JOB,
});

function assertGone(world: JobWorld): void {
  assert.equal(existsSync(world.root), false);
  assert.ok(!world.run('worktree', 'list', '--porcelain').includes(world.root));
  assert.equal(world.run('for-each-ref', 'refs/heads/delegate'), '');
}

const FILES: Tree = {
  'a.txt': 'one\ntwo\n',
  'b.bin': Buffer.from([0, 1, 2]),
  'old.txt': 'x\ny\nz\n',
  '.gitignore': 'build/\n*.log\n.env\n',
};

describe('rejectJob and restoreRejected', function () {
  this.timeout(240_000);

  it('brings back every kind of change, ignored output, nested repositories, commits and copied-in files', async () => {
    await withWorld({ files: FILES }, async (world) => {
      await world.user({ '.env': 'KEY=secret-of-the-user\n' });
      await world.job({
        '.env': 'KEY=secret-of-the-user\n',
        'commit.txt': 'committed by the job\n',
      });
      await mark(world, ['.env']);
      world.runIn(world.root, 'add', 'commit.txt');
      world.runIn(world.root, 'commit', '-q', '-m', 'by the job');
      await world.job({
        'a.txt': 'one\r\ntwo\nmixed\r\n',
        'b.bin': Buffer.from([9, 0, 9]),
        'new/ä "x"\n.txt': 'odd\n',
        link: { link: '/nowhere' },
        'run.sh': { content: '#!/bin/sh\n', perm: 0o750 },
        'build/out.o': Buffer.from([1, 2, 3]),
        'build/ro/x': 'read only folder\n',
        'debug.log': 'log\n',
        '.gitignore': '*\n',
      });
      await rename(join(world.root, 'old.txt'), join(world.root, 'moved.txt'));
      await mkdir(join(world.root, 'nested'));
      world.runIn(join(world.root, 'nested'), 'init', '-q');
      await world.job({
        'nested/n.txt': 'uncommitted in nested\n',
        'nested/.git/info/exclude': 'kept too\n',
      });
      const before = await world.state(world.root);
      const changes = await listChanges({ git: world.git, root: world.root, base: world.base });
      const checkout = await world.state();
      const untouchables = await world.untouchables();
      const tip = world.run('rev-parse', world.branch);

      const rejected = await rejectJob(rejectOptions(world));
      assert.equal(rejected.status, 'rejected');
      assert.deepEqual(rejected.cleanUp.left, []);
      assertGone(world);
      assert.deepEqual(await world.state(), checkout);
      assert.equal(world.run('rev-parse', 'HEAD'), world.base);
      const kept = JSON.stringify(await world.state(world.jobDir));
      assert.ok(
        !kept.includes('secret-of-the-user'),
        'keys of the user are not copied into the job folder',
      );

      const restored = await restoreRejected(restoreOptions(world));
      assert.equal(restored.root, world.root);
      assert.deepEqual(restored.missing, []);
      assert.deepEqual(await world.state(world.root), before);
      assert.deepEqual(
        await listChanges({ git: world.git, root: world.root, base: world.base }),
        changes,
      );
      assert.equal(world.run('rev-parse', world.branch), tip);
      assert.equal(world.runIn(world.root, 'symbolic-ref', 'HEAD'), `refs/heads/${world.branch}`);
      assert.equal((await stat(join(world.root, 'nested/.git/info/exclude'))).isFile(), true);
      assert.deepEqual(await world.untouchables(), untouchables);
      assert.equal(world.run('for-each-ref', 'refs/delegate/rejected'), '');
      assert.equal(
        (await world.accept({ selection: ['b.bin'] })).status,
        'applied',
        'a restored job can be accepted',
      );
    });
  });

  it('keeps a copied-in file that the checkout no longer has', async () => {
    await withWorld({ files: FILES }, async (world) => {
      await world.job({ '.env': 'KEY=1\n', 'a.txt': 'x\n' });
      await mark(world, ['.env']);
      const before = await world.state(world.root);
      await rejectJob(rejectOptions(world));
      await restoreRejected(restoreOptions(world));
      assert.deepEqual(await world.state(world.root), before);
    });
  });

  it('asks before it drops what is too large to keep', async () => {
    await withWorld({ files: FILES }, async (world) => {
      await world.job({
        'build/big.bin': Buffer.alloc(5000, 1),
        'small.log': 'small\n',
        'a.txt': 'x\n',
      });
      const before = await world.state(world.root);
      const limits = { maxBytes: 4000, maxFiles: 100 };
      const refused = await rejectJob(rejectOptions(world, { limits }));
      assert.equal(refused.status, 'refused');
      assert.deepEqual(
        refused.tooLarge.map(({ path }) => path),
        ['build'],
      );
      assert.deepEqual(await world.state(world.root), before);
      assert.equal(world.run('for-each-ref', 'refs/delegate'), '');
      const dropped = await rejectJob(rejectOptions(world, { limits, tooLarge: 'drop' }));
      assert.equal(dropped.status, 'rejected');
      assert.deepEqual(
        dropped.tooLarge.map(({ path }) => path),
        ['build'],
      );
      await restoreRejected(restoreOptions(world));
      const { 'build/big.bin': _big, ...rest } = before;
      assert.deepEqual(await world.state(world.root), rest);
    });
  });

  it('can be repeated, and copes with a worktree that is gone or emptied', async () => {
    await withWorld({ files: FILES }, async (world) => {
      await world.job({ 'a.txt': 'x\n' });
      const first = await rejectJob(rejectOptions(world));
      const again = await rejectJob(rejectOptions(world));
      assert.equal(again.status, 'rejected');
      assert.equal(again.ref, first.ref);
      await restoreRejected(restoreOptions(world));
      await rm(world.root, { recursive: true });
      const gone = await rejectJob(rejectOptions(world));
      assert.equal(gone.status, 'rejected');
      assert.equal(gone.ref, null);
      assertGone(world);
    });
  });

  it('files of a worktree whose .git is gone are kept as they lie', async () => {
    await withWorld({ files: FILES }, async (world) => {
      await world.job({ 'a.txt': 'work\n' });
      await rm(join(world.root, '.git'));
      const checkout = await world.state();
      const result = await rejectJob(rejectOptions(world));
      assert.equal(result.status, 'rejected');
      assert.ok(result.copied.includes('a.txt'));
      assert.equal(
        (await world.state(join(world.jobDir, 'rejected/files')))['a.txt'],
        '644 work\n',
      );
      assertGone(world);
      assert.deepEqual(await world.state(), checkout);
    });
  });

  it('does not restore over a place that is taken', async () => {
    await withWorld({ files: FILES }, async (world) => {
      await world.job({ 'a.txt': 'x\n' });
      await rejectJob(rejectOptions(world));
      await mkdir(world.root, { recursive: true });
      await writeFile(join(world.root, 'mine.txt'), 'mine\n');
      await assert.rejects(restoreRejected(restoreOptions(world)), (error) =>
        BridgeError.is(error, 'wrong_state'),
      );
      assert.deepEqual(await world.state(world.root), { 'mine.txt': '644 mine\n' });
      await rm(world.root, { recursive: true });
      world.run('branch', world.branch);
      await assert.rejects(restoreRejected(restoreOptions(world)), (error) =>
        BridgeError.is(error, 'wrong_state'),
      );
      world.run('branch', '-q', '-D', world.branch);
      await restoreRejected(restoreOptions(world));
      assert.equal((await world.state(world.root))['a.txt'], '644 x\n');
    });
  });

  it('goes on after a restore that was cut short', async () => {
    await withWorld({ files: FILES }, async (world) => {
      await world.job({ 'a.txt': 'x\n', 'debug.log': 'log\n' });
      const before = await world.state(world.root);
      await rejectJob(rejectOptions(world));
      // What a kill in the middle leaves: the note of the attempt, and a worktree without the job's files.
      await writeFile(join(world.jobDir, 'restore-attempt'), '');
      world.run('worktree', 'add', '-q', '-b', world.branch, world.root, world.base);
      await restoreRejected(restoreOptions(world));
      assert.deepEqual(await world.state(world.root), before);
    });
  });

  it('goes on after a reject that was cut short while it removed', async () => {
    await withWorld({ files: FILES }, async (world) => {
      await world.job({ 'a.txt': 'x\n', 'debug.log': 'log\n' });
      const before = await world.state(world.root);
      const { ref } = await rejectJob(rejectOptions(world));
      await restoreRejected(restoreOptions(world));
      const commit = world.run('rev-parse', 'HEAD');
      await rejectJob(rejectOptions(world));
      world.run('branch', world.branch, commit);
      await mkdir(join(dirname(world.root), `.trash-${JOB}-00000000`), { recursive: true });
      const again = await rejectJob(rejectOptions(world));
      assert.equal(again.ref, ref);
      assertGone(world);
      await restoreRejected(restoreOptions(world));
      assert.deepEqual(await world.state(world.root), before);
    });
  });

  it('says that nothing is kept when nothing is', async () => {
    await withWorld({ files: FILES }, async (world) => {
      await assert.rejects(restoreRejected(restoreOptions(world)), (error) =>
        BridgeError.is(error, 'wrong_state'),
      );
    });
  });

  for (const autocrlf of ['false', 'true', 'input']) {
    it(`round-trips any tree (autocrlf ${autocrlf})`, async () => {
      const name = fc.constantFrom(
        'a.txt',
        'old.txt',
        'd/e.txt',
        'd/f',
        'x.log',
        'build/y',
        'ü',
        '-n',
      );
      const content = fc.oneof(
        fc.string({ maxLength: 20 }),
        fc.constantFrom('a\r\nb\n', 'a\r\n', '\u0000bin\r\n', ''),
      );
      const tree = fc.dictionary(
        name,
        fc.record({ content, perm: fc.constantFrom(0o644, 0o755, 0o600) }),
        { maxKeys: 6 },
      );
      await fc.assert(
        fc.asyncProperty(
          tree,
          fc.subarray(['a.txt', 'old.txt', 'b.bin']),
          async (files, deleted) => {
            await withWorld(
              { files: FILES, config: { 'core.autocrlf': autocrlf } },
              async (world) => {
                for (const path of deleted) await rm(join(world.root, path));
                await world.job(files);
                const before = await world.state(world.root);
                await rejectJob(rejectOptions(world));
                assertGone(world);
                await restoreRejected(restoreOptions(world));
                assert.deepEqual(await world.state(world.root), before);
              },
            );
          },
        ),
        { numRuns: 5, endOnFailure: true },
      );
    });
  }

  it('folders that are read-only are removed and come back as they were', async () => {
    await withWorld({ files: FILES }, async (world) => {
      await world.job({ 'build/ro/x': 'x\n' });
      await chmod(join(world.root, 'build/ro'), 0o555);
      await rejectJob(rejectOptions(world));
      assertGone(world);
      await restoreRejected(restoreOptions(world));
      assert.equal((await stat(join(world.root, 'build/ro'))).mode & 0o777, 0o555);
    });
  });
});

/** The marker that creating a worktree leaves beside it, with files that were copied in. */
async function mark(world: JobWorld, paths: string[]): Promise<void> {
  const included = [];
  for (const path of paths) {
    const { size, mtimeMs } = await stat(join(world.root, path));
    included.push({ path, size, mtimeMs });
  }
  await writeMarker(world.root, {
    v: 1,
    job: JOB,
    repoRoot: world.repo,
    commonDir: join(world.repo, '.git'),
    gitDir: world.runIn(world.root, 'rev-parse', '--absolute-git-dir'),
    branch: world.branch,
    base: world.base,
    included,
  });
}
