import assert from 'node:assert/strict';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { BridgeError } from '../../../../src/base/bridgeError.ts';
import { mergeInputs } from '../../../../src/bridge/worktrees/mergeInputs.ts';
import { undoInPlace } from '../../../../src/bridge/worktrees/undoInPlace.ts';
import { JOB, withWorld, type JobWorld } from './jobWorld.ts';

const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';

/** A snapshot commit of a folder, by a temporary index. */
function snapshot(world: JobWorld, folder: string): string {
  const run = (...args: string[]) => world.runIn(folder, '-c', `core.worktree=${folder}`, ...args);
  run('add', '-A');
  const commit = run('commit-tree', run('write-tree'), '-m', 'snapshot');
  run('reset', '-q');
  return commit;
}

describe('undoInPlace', function () {
  this.timeout(60_000);

  async function inPlace(world: JobWorld): Promise<Parameters<typeof undoInPlace>[0]> {
    // The worktree plays the folder that the job changed: the change list comes from it.
    const before = snapshot(world, world.root);
    world.base = before;
    await world.job({
      'a.txt': LINES.replace('two', 'TWO'),
      'new/n.txt': 'by the job, quite new\n',
    });
    await rm(join(world.root, 'gone.txt'));
    await rename(join(world.root, 'old.txt'), join(world.root, 'moved.txt'));
    const files = world.changes();
    const after = snapshot(world, world.root);
    return {
      git: world.git,
      stateDir: world.stateDir,
      repoRoot: world.root,
      jobDir: world.jobDir,
      jobId: JOB,
      before,
      after,
      files,
      selection: 'all',
      dirtyPaths: [],
      skipConflicts: false,
      dryRun: false,
      allowedRoot: world.root,
    };
  }
  const FILES = { 'a.txt': LINES, 'gone.txt': 'gone\n', 'old.txt': `${LINES}old\n` };

  it('takes back what the job did, keeps what the user did since, and can itself be undone', async () => {
    await withWorld({ files: FILES }, async (world) => {
      const start = await world.state(world.root);
      const options = await inPlace(world);
      await world.job({ 'a.txt': LINES.replace('two', 'TWO').replace('seven', 'mine') });
      const before = await world.state(world.root);
      const result = await undoInPlace(options);
      assert.equal(result.status, 'applied');
      assert.deepEqual(await world.state(world.root), {
        ...start,
        'a.txt': `644 ${LINES.replace('seven', 'mine')}`,
      });
      assert.equal((await world.undo({ repoRoot: world.root })).status, 'undone');
      assert.deepEqual(await world.state(world.root), before);
    });
  });

  it('refuses where the user has changed the same lines since', async () => {
    await withWorld({ files: FILES }, async (world) => {
      const options = await inPlace(world);
      await world.job({ 'a.txt': LINES.replace('two', 'mine'), 'new/n.txt': 'mine\n' });
      const before = await world.state(world.root);
      const result = await undoInPlace(options);
      assert.deepEqual(
        result.conflicts.map(({ path, reason }) => [path, reason]),
        [
          ['a.txt', 'overlap'],
          ['new/n.txt', 'deleted_by_job'],
        ],
      );
      assert.deepEqual(await world.state(world.root), before);
    });
  });
});

describe('mergeInputs', function () {
  this.timeout(60_000);

  it('gives the texts for a merge editor in the line ends of the checkout', async () => {
    const crlf = (text: string) => text.replaceAll('\n', '\r\n');
    await withWorld(
      { files: { 'a.txt': LINES, 'b.bin': Buffer.from([0]) }, config: { 'core.autocrlf': 'true' } },
      async (world) => {
        await world.user({ 'a.txt': crlf(LINES.replace('two', 'mine')) });
        await world.job({ 'a.txt': LINES.replace('two', 'TWO'), 'b.bin': Buffer.from([0, 1]) });
        const options = {
          git: world.git,
          repoRoot: world.repo,
          root: world.root,
          base: world.base,
          scratchDir: join(world.jobDir, 'scratch'),
        };
        const [text, binary] = world.changes();
        assert.ok(text && binary);
        const inputs = await mergeInputs({ ...options, file: text });
        assert.equal(inputs.base.toString(), crlf(LINES));
        assert.equal(inputs.yours.toString(), crlf(LINES.replace('two', 'mine')));
        assert.equal(inputs.job.toString(), crlf(LINES.replace('two', 'TWO')));
        assert.match(
          inputs.result.toString(),
          /<<<<<<< yours\r\nmine\r\n\|\|\|\|\|\|\| base\r\ntwo\r\n=======\r\nTWO\r\n>>>>>>> job\r\n/,
        );
        const open = await world.accept({
          selection: ['a.txt'],
          resolved: new Map([['a.txt', inputs.result]]),
        });
        assert.deepEqual(
          open.conflicts.map(({ reason }) => reason),
          ['unresolved'],
        );
        await assert.rejects(mergeInputs({ ...options, file: binary }), (error) =>
          BridgeError.is(error, 'bad_argument'),
        );
      },
    );
  });
});
