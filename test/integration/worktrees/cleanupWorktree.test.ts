import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, it } from 'mocha';
import { cleanUpWorktree } from '../../../src/bridge/worktrees/cleanUp.ts';
import { sweep } from '../../../src/bridge/worktrees/cleanUpSweep.ts';
import { rejectJob } from '../../../src/bridge/worktrees/rejectJob.ts';
import { JOB, withWorld, type JobWorld } from '../../unit/bridge/review/jobWorld.ts';

async function cleanUp(world: JobWorld, overrides: { branch?: string | null; root?: string } = {}) {
  return await cleanUpWorktree({
    git: world.git,
    stateDir: world.stateDir,
    commonDir: join(world.repo, '.git'),
    root: world.root,
    branch: world.branch,
    ...overrides,
  });
}

const STATES: Record<string, (world: JobWorld) => Promise<unknown>> = {
  'all there': async () => undefined,
  'directory gone': (world) => rm(world.root, { recursive: true }),
  'only the branch': async (world) => world.run('worktree', 'remove', '--force', world.root),
  'only the registration': async (world) => {
    await rm(world.root, { recursive: true });
    world.run('update-ref', '-d', `refs/heads/${world.branch}`);
  },
  'only the directory': async (world) => {
    await rm(join(world.repo, '.git/worktrees', JOB), { recursive: true });
    world.run('update-ref', '-d', `refs/heads/${world.branch}`);
  },
  'directory without .git': (world) => rm(join(world.root, '.git')),
  'directory emptied': async (world) => {
    await rm(world.root, { recursive: true });
    await mkdir(world.root);
  },
  locked: async (world) => world.run('worktree', 'lock', '--reason', 'job', world.root),
  'dirty and untracked': (world) => world.job({ 'a.txt': 'x\n', 'n.txt': 'n\n' }),
  'read-only folders': async (world) => {
    await world.job({ 'mod/cache/x.go': 'x\n' });
    await chmod(join(world.root, 'mod/cache/x.go'), 0o444);
    await chmod(join(world.root, 'mod/cache'), 0o555);
  },
  'a nested repository': async (world) => world.runIn(world.root, 'init', '-q', 'nested'),
  'trash of an earlier call': async (world) => {
    await world.job({ x: 'x' });
    await mkdir(join(dirname(world.root), `.trash-${JOB}-0badcafe/deep`), { recursive: true });
  },
};

describe('cleanUpWorktree', function () {
  this.timeout(60_000);

  for (const [name, prepare] of Object.entries(STATES)) {
    it(`converges from: ${name}`, async () => {
      await withWorld({}, async (world) => {
        const other = join(world.dir, 'users-own');
        world.run('worktree', 'add', '-q', '--detach', other);
        await rm(other, { recursive: true });
        await prepare(world);
        const before = [await world.state(), await world.untouchables()];
        const result = await cleanUp(world);
        assert.deepEqual(result.left, []);
        assert.equal(existsSync(world.root), false);
        assert.ok(
          !existsSync(dirname(world.root)) || (await readdir(dirname(world.root))).length === 0,
        );
        const list = world.run('worktree', 'list', '--porcelain');
        assert.ok(!list.includes(world.root), list);
        assert.ok(
          list.includes(other),
          'a worktree of the user that is away just now stays registered',
        );
        assert.equal(world.run('for-each-ref', 'refs/heads/delegate'), '');
        const [files, rest] = [await world.state(), await world.untouchables()];
        assert.deepEqual(files, before[0]);
        assert.equal(rest['indexBytes'], before[1]?.['indexBytes']);
        assert.equal(rest['config'], before[1]?.['config']);
        const again = await cleanUp(world);
        assert.deepEqual(again, { removed: [], left: [] });
      });
    });
  }

  it('frees the path while a process still writes into it', async () => {
    await withWorld({}, async (world) => {
      const script =
        'let n=0; const fs=require("fs"); for(;;){ try{ fs.writeFileSync("f"+(n++%500),"x") }catch{} if(n===20) process.stdout.write("on") }';
      const writer = spawn(process.execPath, ['-e', script], {
        cwd: world.root,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      try {
        await once(writer.stdout, 'data');
        const result = await cleanUp(world);
        assert.equal(existsSync(world.root), false);
        assert.ok(!world.run('worktree', 'list', '--porcelain').includes(world.root));
        for (const { what } of result.left) assert.ok(what.includes('.trash-'), what);
      } finally {
        writer.kill('SIGKILL');
      }
      await once(writer, 'exit');
      assert.deepEqual((await cleanUp(world)).left, []);
      assert.ok(!existsSync(dirname(world.root)));
    });
  });

  it('says where a branch is checked out, and gets it later', async () => {
    await withWorld({}, async (world) => {
      world.runIn(world.root, 'checkout', '-q', '--detach');
      const other = join(world.dir, 'other');
      world.run('worktree', 'add', '-q', other, world.branch);
      const result = await cleanUp(world);
      assert.equal(existsSync(world.root), false);
      assert.deepEqual(result.left, [
        { what: `refs/heads/${world.branch}`, why: `it is checked out in ${other}` },
      ]);
      world.runIn(other, 'checkout', '-q', '--detach');
      assert.deepEqual((await cleanUp(world)).removed, [`refs/heads/${world.branch}`]);
    });
  });

  it('keeps the branch when told to', async () => {
    await withWorld({}, async (world) => {
      await cleanUp(world, { branch: null });
      assert.equal(existsSync(world.root), false);
      assert.equal(world.run('rev-parse', world.branch), world.base);
    });
  });

  it('never removes a repository that is not the worktree, the checkout, or a branch of the user', async () => {
    await withWorld({}, async (world) => {
      await cleanUp(world);
      await mkdir(world.root, { recursive: true });
      world.runIn(world.root, 'init', '-q');
      const result = await cleanUp(world);
      assert.equal(result.left.length, 1);
      assert.ok(existsSync(join(world.root, '.git')));
      for (const root of [world.repo, world.dir, 'relative'])
        await assert.rejects(cleanUp(world, { root }));
      await assert.rejects(cleanUp(world, { branch: 'main' }));
      assert.ok(existsSync(join(world.repo, 'a.txt')));
    });
  });

  it('removes the directory when the whole repository is gone', async () => {
    await withWorld({}, async (world) => {
      await rm(world.repo, { recursive: true });
      assert.deepEqual(await cleanUp(world), { removed: [world.root], left: [] });
    });
  });
});

describe('sweep', function () {
  this.timeout(60_000);

  it('keeps rejected work for its days, then gives it up, and goes on with clean-ups', async () => {
    await withWorld({}, async (world) => {
      await world.job({ 'a.txt': 'x\n', 'b.txt': 'b\n' });
      await world.accept({ selection: ['b.txt'] });
      const options = {
        git: world.git,
        stateDir: world.stateDir,
        repoRoot: world.repo,
        root: world.root,
        branch: world.branch,
        base: world.base,
        jobDir: world.jobDir,
        jobId: JOB,
        tooLarge: 'refuse' as const,
      };
      await rejectJob(options);
      await mkdir(world.root, { recursive: true });
      await writeFile(join(world.root, 'left-behind'), '');
      const reviewedAt = new Date('2026-01-01T00:00:00Z');
      const commonDir = join(world.repo, '.git');
      const record = {
        jobId: JOB,
        jobDir: world.jobDir,
        commonDir,
        root: world.root,
        branch: world.branch,
        reviewedAt,
      };
      const broken = { ...record, jobId: 'job-2', root: world.repo };
      const at = async (now: string) =>
        await sweep([broken, record], {
          git: world.git,
          stateDir: world.stateDir,
          keepRejectedDays: 7,
          now: new Date(now),
        });
      const [failed, early] = await at('2026-01-07T00:00:00Z');
      assert.equal(failed?.left.length, 1);
      assert.deepEqual(early, { jobId: JOB, removed: [world.root], left: [] });
      assert.equal(
        world.run('for-each-ref', '--format=%(refname)', 'refs/delegate').split('\n').length,
        2,
      );
      assert.ok(existsSync(join(world.jobDir, 'rejected')));
      const [, late] = await at('2026-01-09T00:00:00Z');
      assert.deepEqual(late?.left, []);
      assert.equal(world.run('for-each-ref', 'refs/delegate'), '');
      assert.ok(!existsSync(join(world.jobDir, 'rejected')));
    });
  });
});
