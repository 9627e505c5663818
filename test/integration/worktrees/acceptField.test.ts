import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import { acceptChanges, type AcceptOptions } from '../../../src/bridge/worktrees/acceptChanges.ts';
import { listChanges } from '../../../src/bridge/worktrees/changeList.ts';
import { cleanUpWorktree } from '../../../src/bridge/worktrees/cleanUp.ts';
import { createWorktree } from '../../../src/bridge/worktrees/createWorktree.ts';
import type { CreatedWorktree } from '../../../src/bridge/worktrees/furnishWorktree.ts';
import { rejectJob } from '../../../src/bridge/worktrees/rejectJob.ts';
import { restoreRejected } from '../../../src/bridge/worktrees/restoreRejected.ts';
import { undoAccept } from '../../../src/bridge/worktrees/undoAccept.ts';
import { tempRepo, type TempRepo, type TempRepoOptions } from '../../support/tempRepo.ts';

const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';

interface Field {
  readonly repo: TempRepo;
  readonly tree: CreatedWorktree;
  job(name: string, content: Parameters<TempRepo['write']>[1]): void;
  accept(overrides?: Partial<AcceptOptions>): Promise<Awaited<ReturnType<typeof acceptChanges>>>;
}

/** A worktree made, listed and accepted by the bridge's own parts, as a job does it. */
async function inField(
  options: TempRepoOptions & { from?: 'head' | 'working-tree'; prepare?: (repo: TempRepo) => void },
  work: (field: Field) => Promise<void>,
): Promise<void> {
  const repo = tempRepo(options);
  try {
    options.prepare?.(repo);
    const tree = await createWorktree({
      git: repo.runner,
      cwd: repo.root,
      jobId: 'job-7',
      baseDir: repo.baseDir,
      include: 'none',
      submodules: 'none',
      from: options.from ?? 'head',
      stateDir: repo.stateDir,
    });
    const jobDir = join(repo.stateDir, 'jobs', 'job-7');
    mkdirSync(jobDir, { recursive: true });
    await work({
      repo,
      tree,
      job: (name, content) => repo.writeAt(join(tree.root, name), content),
      accept: async (overrides = {}) =>
        await acceptChanges({
          git: repo.runner,
          stateDir: repo.stateDir,
          repoRoot: repo.root,
          root: tree.root,
          branch: tree.branch,
          base: tree.base,
          files: await listChanges({ git: repo.runner, root: tree.root, base: tree.base }),
          selection: 'all',
          jobDir,
          jobId: 'job-7',
          dirtyPaths: [],
          skipConflicts: false,
          dryRun: false,
          how: 'working-tree',
          provenance: { by: null, model: null, endpoint: null, job: 'job-7', gate: null },
          allowedRoot: repo.root,
          ...overrides,
        }),
    });
  } finally {
    repo.dispose();
  }
}

const undo = async ({ repo }: Field) =>
  await undoAccept({
    git: repo.runner,
    stateDir: repo.stateDir,
    repoRoot: repo.root,
    jobDir: join(repo.stateDir, 'jobs', 'job-7'),
    jobId: 'job-7',
    dirtyPaths: [],
    skipConflicts: false,
  });

describe('accept, with worktrees and change lists of the bridge', function () {
  this.timeout(60_000);

  it('files that the job ignores in its own .gitignore are taken; ignored output only when named', async () => {
    await inField({ files: { 'a.txt': 'a\n', '.gitignore': '*.log\n' } }, async (field) => {
      field.job('.gitignore', '*\n');
      field.job('hidden.txt', 'hidden\n');
      field.job('out.log', 'log\n');
      const all = await field.accept();
      assert.deepEqual(all.applied.map(({ path }) => path).sort(), ['.gitignore', 'hidden.txt']);
      assert.deepEqual(all.skipped, [{ path: 'out.log', reason: 'ignored' }]);
      assert.equal((await field.accept({ selection: ['out.log'] })).status, 'applied');
      assert.equal(field.repo.read('out.log'), 'log\n');
    });
  });

  it('a nested repository is reported, and its content never written', async () => {
    await inField({ files: { 'a.txt': 'a\n' } }, async (field) => {
      field.job('a.txt', 'b\n');
      field.repo.gitIn(field.tree.root, 'init', '--quiet', 'nested');
      field.job('nested/x.txt', 'x\n');
      const result = await field.accept();
      assert.deepEqual(result.skipped, [{ path: 'nested', reason: 'nested' }]);
      assert.equal(existsSync(field.repo.path('nested')), false);
    });
  });

  it('LFS filters without git-lfs: pointers are accepted and undone', async () => {
    const pointer = (digit: string) =>
      `version https://git-lfs.github.com/spec/v1\noid sha256:${digit.repeat(64)}\nsize 3\n`;
    const options: TempRepoOptions = { files: { 'a.txt': 'a\n' }, lfsMissing: true };
    const prepare = (repo: TempRepo) => {
      repo.commit({
        'big.bin': pointer('1'),
        '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n',
      });
      for (const [key, value] of [
        ['smudge', 'git-lfs smudge'],
        ['clean', 'git-lfs clean'],
        ['required', 'true'],
      ] as const) {
        repo.git('config', `filter.lfs.${key}`, value);
      }
    };
    await inField({ ...options, prepare }, async (field) => {
      field.job('big.bin', pointer('2'));
      assert.equal((await field.accept()).status, 'applied');
      assert.equal(field.repo.read('big.bin'), pointer('2'));
      assert.equal((await undo(field)).status, 'undone');
      assert.equal(field.repo.read('big.bin'), pointer('1'));
    });
  });

  it("from the user's working tree: only what the job changed is applied, uncommitted work stays", async () => {
    const prepare = (repo: TempRepo) => {
      repo.write('a.txt', LINES.replace('one', 'uncommitted'));
      repo.write('untracked.txt', 'mine\n');
    };
    await inField({ files: { 'a.txt': LINES }, from: 'working-tree', prepare }, async (field) => {
      const before = field.repo.fingerprint();
      field.job('a.txt', LINES.replace('one', 'uncommitted').replace('seven', 'SEVEN'));
      field.job('untracked.txt', 'mine\nand the job\n');
      const result = await field.accept();
      assert.deepEqual(result.applied, [
        { path: 'a.txt', how: 'written' },
        { path: 'untracked.txt', how: 'written' },
      ]);
      assert.equal(
        field.repo.read('a.txt'),
        LINES.replace('one', 'uncommitted').replace('seven', 'SEVEN'),
      );
      await undo(field);
      assert.deepEqual(field.repo.fingerprint(), before);
    });
  });

  it('the user has moved on to other commits and another branch', async () => {
    await inField({ files: { 'a.txt': LINES, 'b.txt': 'b\n' } }, async (field) => {
      field.job('a.txt', LINES.replace('seven', 'SEVEN'));
      field.job('b.txt', 'job\n');
      field.repo.git('checkout', '--quiet', '-b', 'later');
      field.repo.commit({ 'a.txt': LINES.replace('one', 'ONE') });
      const { files: _files, ...before } = field.repo.fingerprint();
      assert.equal((await field.accept()).status, 'applied');
      const { files: _after, ...after } = field.repo.fingerprint();
      assert.deepEqual(after, before);
      assert.equal(field.repo.read('a.txt'), LINES.replace('one', 'ONE').replace('seven', 'SEVEN'));
    });
  });

  it('a merge of the user that stands in conflict is left as it is', async () => {
    await inField({ files: { 'a.txt': LINES, 'b.txt': 'b\n' } }, async (field) => {
      const { repo } = field;
      field.job('a.txt', LINES.replace('two', 'job'));
      field.job('b.txt', 'job\n');
      repo.git('checkout', '--quiet', '-b', 'side');
      repo.commit({ 'a.txt': LINES.replace('two', 'side') });
      repo.git('checkout', '--quiet', 'main');
      repo.commit({ 'a.txt': LINES.replace('two', 'main') });
      assert.throws(() => repo.git('merge', '--quiet', 'side'));
      const { files: _files, ...before } = repo.fingerprint();
      const refused = await field.accept();
      assert.deepEqual(
        refused.conflicts.map(({ path }) => path),
        ['a.txt'],
      );
      assert.equal((await field.accept({ skipConflicts: true })).status, 'applied');
      const { files: _after, ...after } = repo.fingerprint();
      assert.deepEqual(after, before);
      assert.match(repo.read('a.txt'), /<<<<<<< HEAD/);
      assert.equal(repo.read('b.txt'), 'job\n');
    });
  });

  it('two accepts at once write the change once', async () => {
    await inField({ files: { 'a.txt': LINES } }, async (field) => {
      field.job('a.txt', 'x\n');
      const results = await Promise.all([field.accept(), field.accept()]);
      assert.deepEqual(results.map(({ status }) => status).sort(), ['applied', 'nothing']);
      assert.equal(
        field.repo.git('for-each-ref', 'refs/delegate/undo').trim().split('\n').length,
        1,
      );
    });
  });

  it('hooks, signing and a missing identity of the user do not matter', async () => {
    const prepare = (repo: TempRepo) => {
      const hook = repo.path('.git/hooks/reference-transaction');
      repo.writeAt(hook, `#!/bin/sh\ntouch '${repo.scratch}/hook-ran'\nexit 1\n`);
      chmodSync(hook, 0o755);
      repo.git('config', 'commit.gpgSign', 'true');
      repo.git('config', 'gpg.program', '/bin/false');
      repo.git('config', 'user.useConfigOnly', 'true');
      rmSync(join(repo.home, '.gitconfig'));
    };
    await inField({ files: { 'a.txt': LINES }, prepare }, async (field) => {
      field.job('a.txt', 'x\n');
      assert.equal((await field.accept()).status, 'applied');
      assert.equal((await field.accept({ how: 'branch' })).status, 'applied');
      assert.equal(existsSync(join(field.repo.scratch, 'hook-ran')), false);
    });
  });

  it('a rename with an edit, a deletion and a PNG, one after the other', async () => {
    const png = Buffer.from([0x89, 0x50, 0, 1, 2, 3, 0xff]);
    await inField(
      { files: { 'old ä.txt': LINES, 'p.png': png, 'gone.bin': png } },
      async (field) => {
        const before = field.repo.fingerprint();
        renameSync(join(field.tree.root, 'old ä.txt'), join(field.tree.root, 'new -> name.txt'));
        field.job('new -> name.txt', LINES.replace('two', 'TWO'));
        field.job('p.png', Buffer.concat([png, png]));
        rmSync(join(field.tree.root, 'gone.bin'));
        for (const path of ['p.png', 'gone.bin', 'old ä.txt']) {
          assert.equal((await field.accept({ selection: [path] })).status, 'applied', path);
        }
        assert.deepEqual(readFileSync(field.repo.path('p.png')), Buffer.concat([png, png]));
        assert.equal(existsSync(field.repo.path('old ä.txt')), false);
        assert.equal(field.repo.read('new -> name.txt'), LINES.replace('two', 'TWO'));
        for (let left = 3; left > 0; left--) assert.equal((await undo(field)).status, 'undone');
        assert.deepEqual(field.repo.fingerprint(), before);
      },
    );
  });

  it('reject, restore and clean-up of a worktree made by the bridge', async () => {
    await inField({ files: { 'a.txt': LINES, '.gitignore': '*.log\n' } }, async (field) => {
      const { repo, tree } = field;
      const before = repo.fingerprint();
      field.job('a.txt', 'x\n');
      field.job('n.log', 'log\n');
      const options = {
        git: repo.runner,
        stateDir: repo.stateDir,
        repoRoot: repo.root,
        jobDir: join(repo.stateDir, 'jobs', 'job-7'),
        jobId: 'job-7',
      };
      const changes = await listChanges({ git: repo.runner, root: tree.root, base: tree.base });
      await rejectJob({
        ...options,
        root: tree.root,
        branch: tree.branch,
        base: tree.base,
        tooLarge: 'refuse',
      });
      assert.equal(existsSync(tree.root), false);
      await restoreRejected(options);
      assert.deepEqual(
        await listChanges({ git: repo.runner, root: tree.root, base: tree.base }),
        changes,
      );
      const result = await cleanUpWorktree({
        ...options,
        commonDir: tree.commonDir,
        root: tree.root,
        branch: tree.branch,
      });
      assert.deepEqual(result.left, []);
      assert.deepEqual(repo.fingerprint(), before);
    });
  });
});
