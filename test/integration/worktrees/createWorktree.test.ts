import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { BridgeError } from '../../../src/base/bridgeError.ts';
import { listChanges } from '../../../src/bridge/worktrees/changeList.ts';
import { finishWorktree } from '../../../src/bridge/worktrees/finishWorktree.ts';
import { GitRunner } from '../../../src/bridge/worktrees/gitRunner.ts';
import { recreateWorktree } from '../../../src/bridge/worktrees/recreateWorktree.ts';
import { WorktreeGit } from '../../../src/bridge/worktrees/worktreeGit.ts';
import { markerPath, writeMarker } from '../../../src/bridge/worktrees/worktreeMarker.ts';
import { jobWorktree } from '../../support/jobWorktree.ts';
import { tempRepo, type TempRepo, type TempRepoOptions } from '../../support/tempRepo.ts';

describe('createWorktree', function () {
  this.timeout(60_000);
  const repos: TempRepo[] = [];
  const open = (options?: TempRepoOptions): TempRepo => {
    const repo = tempRepo(options);
    repos.push(repo);
    return repo;
  };
  afterEach(() => {
    for (const repo of repos.splice(0)) repo.dispose();
  });

  const delegateRefs = (repo: TempRepo): string =>
    repo.git('for-each-ref', '--format=%(refname)', 'refs/delegate', 'refs/heads/delegate').trim();
  const registered = (repo: TempRepo): number =>
    repo
      .git('worktree', 'list', '--porcelain')
      .split('\n')
      .filter((line) => line.startsWith('worktree ')).length;
  /** Nothing of a job is left: no branch, ref, registration, directory, marker. */
  const assertNothingLeft = (repo: TempRepo): void => {
    assert.equal(delegateRefs(repo), '');
    assert.equal(registered(repo), 1);
    const left = existsSync(repo.baseDir) ? readdirSync(repo.baseDir, { recursive: true }) : [];
    assert.deepEqual(left, []);
  };

  it('starts from the commit that HEAD names now, whatever other branches say', async () => {
    const repo = open({ files: { a: '1' } });
    repo.git('branch', 'stable');
    repo.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    repo.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
    repo.git('switch', '-q', '-c', 'feature');
    const head = repo.commit({ feature: 'x' });
    const created = await jobWorktree(repo);
    assert.equal(created.base, head);
    assert.equal(readFileSync(join(created.root, 'feature'), 'utf8'), 'x');
    const later = repo.commit({ more: 'y' });
    assert.equal((await jobWorktree(repo, { jobId: 'job-2' })).base, later);
  });

  it('leaves the user checkout byte-identical, also when the job works and ends', async () => {
    const repo = open({ files: { a: '1', '.gitignore': '.env\n' }, commits: [{ b: '2' }] });
    repo.write('a', 'changed, not staged');
    repo.write('staged', 'x');
    repo.git('add', 'staged');
    repo.git('stash', 'push', '-q', '-m', 'mine', '--', 'a');
    repo.write('untracked', 'y');
    const before = repo.fingerprint();
    const created = await jobWorktree(repo);
    assert.deepEqual(repo.fingerprint(), before);
    repo.writeAt(join(created.root, 'a'), 'by the job');
    await listChanges({ git: repo.runner, ...created });
    assert.deepEqual(repo.fingerprint(), before);
  });

  it('lies outside the repository, on a branch of its own, with a ref that keeps the base', async () => {
    const repo = open({ files: { a: '1' } });
    const created = await jobWorktree(repo);
    assert.equal(created.branch, 'delegate/job-1');
    assert.match(created.root, /worktrees\/project-[0-9a-f]{10}\/job-1$/);
    assert.ok(!created.root.startsWith(repo.root));
    assert.equal(repo.git('rev-parse', 'refs/delegate/base/job-1').trim(), created.base);
    assert.equal(
      repo.gitIn(created.root, 'symbolic-ref', 'HEAD').trim(),
      'refs/heads/delegate/job-1',
    );
  });

  it('gives the job the same place in the tree as its caller', async () => {
    const repo = open({ files: { 'packages/app/index.js': '', 'link.txt': 'x' } });
    assert.equal(
      (await jobWorktree(repo, { cwd: repo.path('packages/app') })).runCwd.endsWith(
        'job-1/packages/app',
      ),
      true,
    );
    symlinkSync(repo.path('packages'), join(repo.scratch, 'short'));
    const linked = await jobWorktree(repo, {
      jobId: 'job-2',
      cwd: join(repo.scratch, 'short/app'),
    });
    assert.ok(linked.runCwd.endsWith('job-2/packages/app'));
    mkdirSync(repo.path('new/folder'), { recursive: true });
    const fresh = await jobWorktree(repo, { jobId: 'job-3', cwd: repo.path('new/folder') });
    assert.ok(existsSync(fresh.runCwd));
    assert.match(fresh.warnings.join(), /new\/folder is not in the commit/);
  });

  it('works from a detached HEAD and from a linked worktree', async () => {
    const repo = open({ files: { a: '1' }, commits: [{ a: '2' }] });
    repo.git('checkout', '-q', '--detach', 'HEAD~1');
    const detached = await jobWorktree(repo);
    assert.equal(detached.base, repo.head());
    const other = join(repo.scratch, 'other');
    repo.git('worktree', 'add', '-q', '-b', 'mine', other, 'main');
    const nested = await jobWorktree(repo, { jobId: 'job-2', cwd: other });
    assert.equal(nested.base, repo.gitIn(other, 'rev-parse', 'HEAD').trim());
    assert.equal(nested.repoRoot, other);
    assert.equal(nested.commonDir, repo.path('.git'));
  });

  it('says what is wrong with a folder that no worktree can be made for', async () => {
    const empty = open();
    await assert.rejects(jobWorktree(empty), (error) => {
      assert.ok(BridgeError.is(error, 'no_commits'));
      assert.match(error.hint, /first commit/);
      return true;
    });
    assertNothingLeft(empty);
    const repo = open({ files: { a: '1' } });
    await assert.rejects(jobWorktree(repo, { cwd: repo.scratch }), (error) => {
      assert.ok(BridgeError.is(error, 'not_a_repository'));
      assert.ok(error.hint.includes(repo.root), 'repositories below are named');
      return true;
    });
    const inside = jobWorktree(repo, { baseDir: repo.path('trees') });
    await assert.rejects(inside, (error) => BridgeError.is(error, 'isolation_failed'));
    repo.git('checkout', '-q', '--orphan', 'unborn');
    await assert.rejects(jobWorktree(repo), (error) => BridgeError.is(error, 'no_commits'));
  });

  it('runs no hook and no file system monitor of the repository', async () => {
    const repo = open({ files: { a: '1' } });
    const trace = join(repo.scratch, 'trace');
    const script = { executable: `#!/bin/sh\necho "$0" >> '${trace}'\n` };
    for (const hook of ['post-checkout', 'post-index-change', 'reference-transaction']) {
      repo.write(`.git/hooks/${hook}`, script);
    }
    repo.write('.git/monitor', script);
    repo.git('config', 'core.fsmonitor', repo.path('.git/monitor'));
    rmSync(trace, { force: true });
    const created = await jobWorktree(repo, { from: 'working-tree' });
    repo.writeAt(join(created.root, 'a'), '2');
    await listChanges({ git: repo.runner, ...created });
    assert.equal(existsSync(trace), false);
  });

  it('makes 8 at once while another program holds config.lock, without orphans', async () => {
    const repo = open({ files: { a: '1' }, config: { 'branch.autoSetupMerge': 'always' } });
    writeFileSync(repo.path('.git/config.lock'), '');
    writeFileSync(repo.path('.git/packed-refs.lock'), '');
    const jobs = Array.from({ length: 8 }, (_, at) => jobWorktree(repo, { jobId: `job-${at}` }));
    setTimeout(() => {
      rmSync(repo.path('.git/config.lock'));
      rmSync(repo.path('.git/packed-refs.lock'));
    }, 300);
    const created = await Promise.all(jobs);
    assert.equal(new Set(created.map((one) => one.root)).size, 8);
    assert.equal(registered(repo), 9);
    const branches = repo
      .git('for-each-ref', '--format=%(refname:short)', 'refs/heads/delegate')
      .trim();
    assert.deepEqual(branches.split('\n').sort(), created.map((one) => one.branch).sort());
  });

  it('tries again when a lock of the branch is held for a moment, and removes what the failed try left', async () => {
    const repo = open({ files: { a: '1' } });
    const lock = repo.path('.git/refs/heads/delegate/job-1.lock');
    repo.writeAt(lock, '');
    let failures = 0;
    class Watched extends GitRunner {
      override async run(...call: Parameters<GitRunner['run']>): ReturnType<GitRunner['run']> {
        try {
          return await super.run(...call);
        } catch (error) {
          if (call[0].includes('add')) failures++;
          rmSync(lock, { force: true });
          throw error;
        }
      }
    }
    const created = await jobWorktree(repo, { git: new Watched({ env: repo.env }) });
    assert.equal(failures, 1);
    assert.equal(created.branch, 'delegate/job-1');
    assert.equal(registered(repo), 2);
  });

  it('leaves nothing when creation fails, and the next job starts', async () => {
    const repo = open({
      files: { a: '1', '.gitattributes': '*.x filter=broken\n' },
      commits: [{ 'b.x': '2' }],
    });
    const before = repo.fingerprint();
    repo.git('config', 'filter.broken.smudge', 'false');
    repo.git('config', 'filter.broken.required', 'true');
    await assert.rejects(jobWorktree(repo), (error) => {
      assert.ok(BridgeError.is(error, 'isolation_failed'));
      assert.match(error.message, /smudge filter broken failed|b\.x/);
      return true;
    });
    assertNothingLeft(repo);
    repo.git('config', '--remove-section', 'filter.broken');
    const after = repo.fingerprint();
    assert.deepEqual({ ...after, config: '' }, { ...before, config: '' });
    await jobWorktree(repo);
  });

  it('leaves nothing when it is cancelled half-way', async () => {
    const repo = open({
      files: { a: '1', '.gitattributes': '*.x filter=slow\n' },
      commits: [{ 'b.x': '2' }],
    });
    repo.git('config', 'filter.slow.smudge', 'sleep 30; cat');
    const controller = new AbortController();
    const job = jobWorktree(repo, { signal: controller.signal });
    setTimeout(() => controller.abort(), 400);
    const started = performance.now();
    await assert.rejects(job, (error) => BridgeError.is(error, 'cancelled'));
    assert.ok(performance.now() - started < 10_000);
    assertNothingLeft(repo);
  });

  it('fails when the new tree does not equal its commit', async () => {
    const repo = open({ files: { 'crlf.txt': 'a\r\nb\r\n' } });
    repo.write('.gitattributes', '*.txt text\n');
    repo.git('add', '.gitattributes');
    repo.git('commit', '-q', '-m', 'attributes without renormalising');
    await assert.rejects(jobWorktree(repo), (error) => {
      assert.ok(BridgeError.is(error, 'isolation_failed'));
      assert.match(error.message, /crlf\.txt/);
      assert.match(error.hint, /renormalize/);
      return true;
    });
    assertNothingLeft(repo);
  });

  it('never uses a branch or a folder that is there; takes a new name', async () => {
    const repo = open({ files: { a: '1' }, commits: [{ a: '2' }] });
    repo.git('branch', 'delegate/job-1', 'HEAD~1');
    const created = await jobWorktree(repo);
    assert.equal(created.branch, 'delegate/job-1-2');
    assert.equal(repo.gitIn(created.root, 'rev-parse', 'HEAD').trim(), repo.head());
    const again = await jobWorktree(repo);
    assert.equal(again.branch, 'delegate/job-1-3');
    assert.equal(basename(again.root), 'job-1-3');
  });

  it('clears what a start of the same job left that was killed half-way, and nothing else', async () => {
    const repo = open({ files: { a: '1' } });
    const first = await jobWorktree(repo);
    await finishWorktree({ git: repo.runner, ...first, jobId: 'job-1', stateDir: repo.stateDir });
    const marker = {
      ...{
        v: 1 as const,
        job: 'job-1',
        repoRoot: repo.root,
        commonDir: repo.path('.git'),
        gitDir: null,
      },
      ...{ branch: first.branch, base: first.base, included: [] },
    };
    repo.writeAt(join(first.root, 'half'), 'made');
    await writeMarker(first.root, marker);
    const second = await jobWorktree(repo);
    assert.equal(second.root, first.root);
    assert.equal(existsSync(join(second.root, 'half')), false);
    // The same without our marker is somebody's folder.
    const foreign = first.root.replace(/job-1$/, 'job-9');
    repo.writeAt(join(foreign, 'precious'), 'x');
    const third = await jobWorktree(repo, { jobId: 'job-9' });
    assert.equal(basename(third.root), 'job-9-2');
    assert.ok(existsSync(join(foreign, 'precious')));
  });

  it('works in a repository with LFS files on a machine without git-lfs', async () => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3\n';
    const repo = open({ files: { 'x.bin': pointer, a: '1' }, lfsMissing: true });
    repo.write('.gitattributes', '*.bin filter=lfs diff=lfs merge=lfs -text\n');
    repo.git('add', '.gitattributes');
    repo.git('commit', '-q', '-m', 'lfs');
    for (const [key, value] of Object.entries({
      'filter.lfs.clean': 'git-lfs-that-is-not-there clean -- %f',
      'filter.lfs.smudge': 'git-lfs-that-is-not-there smudge -- %f',
      'filter.lfs.process': 'git-lfs-that-is-not-there filter-process',
      'filter.lfs.required': 'true',
    })) {
      repo.git('config', key, value);
    }
    const created = await jobWorktree(repo);
    assert.match(created.warnings.join(), /1 LFS files are pointers/);
    assert.deepEqual(await listChanges({ git: repo.runner, ...created }), []);
    repo.writeAt(join(created.root, 'a'), '2');
    repo.writeAt(join(created.root, 'x.bin'), `${pointer}edited\n`);
    const changes = await listChanges({ git: repo.runner, ...created });
    assert.deepEqual(
      changes.map((change) => change.path),
      ['a', 'x.bin'],
    );
    repo.writeAt(join(created.root, 'a'), '1');
    repo.writeAt(join(created.root, 'x.bin'), pointer);
    const finished = await finishWorktree({
      git: repo.runner,
      ...created,
      jobId: 'job-1',
      stateDir: repo.stateDir,
    });
    assert.equal(finished.kept, false);
    assertNothingLeft(repo);
    // The guard: without the overrides the same repository cannot be checked out.
    const plain = new GitRunner({ env: repo.env });
    await assert.rejects(jobWorktree(repo, { git: plain }), (error) =>
      BridgeError.is(error, 'isolation_failed'),
    );
  });

  it('refuses to work in a worktree that was emptied, moved or forged', async () => {
    const repo = open({ files: { a: '1' } });
    const created = await jobWorktree(repo);
    const before = repo.fingerprint();
    const git = new WorktreeGit(repo.runner, created.root);
    assert.equal(await git.text(['rev-parse', 'HEAD']), created.base);
    const isGone = (error: unknown): boolean => BridgeError.is(error, 'worktree_gone');

    // A repository of the job's own making in the place of the worktree.
    const evil = join(repo.scratch, 'evil');
    repo.git('clone', '-q', repo.root, evil);
    writeFileSync(join(created.root, '.git'), `gitdir: ${join(evil, '.git')}\n`);
    repo.gitIn(evil, 'config', 'core.worktree', created.root);
    await assert.rejects(git.run(['status']), isGone);

    for (const name of readdirSync(created.root))
      rmSync(join(created.root, name), { recursive: true });
    await assert.rejects(git.run(['add', '-A']), isGone);
    await assert.rejects(listChanges({ git: repo.runner, ...created }), isGone);
    rmSync(created.root, { recursive: true });
    await assert.rejects(git.run(['status']), isGone);
    await assert.rejects(listChanges({ git: repo.runner, ...created }), isGone);
    assert.deepEqual(repo.fingerprint(), before);
  });

  it('never falls through to a repository around the base folder', async () => {
    // Home folders under git are common: the worktrees are then inside somebody's repository.
    const repo = open({ files: { a: '1' } });
    repo.gitIn(repo.scratch, 'init', '-q');
    const created = await jobWorktree(repo);
    rmSync(join(created.root, '.git'));
    rmSync(markerPath(created.root));
    const git = new WorktreeGit(repo.runner, created.root);
    await assert.rejects(git.run(['status']), (error) => BridgeError.is(error, 'worktree_gone'));
  });

  it('is made again at the same path for a job that is resumed', async () => {
    const repo = open({ files: { a: '1', '.gitignore': '.env\n', '.worktreeinclude': '.env\n' } });
    repo.write('.env', 'KEY=1');
    const first = await jobWorktree(repo);
    const resume = () =>
      recreateWorktree({
        ...{ git: repo.runner, cwd: repo.root, jobId: 'job-1', stateDir: repo.stateDir },
        ...{ root: first.root, branch: first.branch, base: first.base },
        ...{ include: 'auto' as const, submodules: 'auto' as const },
      });
    repo.writeAt(join(first.root, 'work'), 'kept');
    assert.equal((await resume()).runCwd, first.root);
    assert.ok(existsSync(join(first.root, 'work')), 'a tree that is there is taken as it is');
    rmSync(join(first.root, 'work'));
    await finishWorktree({ git: repo.runner, ...first, jobId: 'job-1', stateDir: repo.stateDir });
    assertNothingLeft(repo);
    repo.commit({ a: 'later' });
    const second = await resume();
    assert.deepEqual(
      { root: second.root, base: second.base, branch: second.branch },
      {
        root: first.root,
        base: first.base,
        branch: first.branch,
      },
    );
    assert.deepEqual(second.included, ['.env']);
    assert.equal(readFileSync(join(second.root, 'a'), 'utf8'), '1');
    assert.deepEqual(await listChanges({ git: repo.runner, ...second }), []);
    rmSync(second.root, { recursive: true });
    repo.git('update-ref', 'refs/heads/delegate/job-1', repo.head());
    await assert.rejects(resume(), (error) => BridgeError.is(error, 'isolation_failed'));
  });

  describe('finishWorktree', () => {
    it('keeps a tree with changes, with only ignored output, or with commits that cancel out', async () => {
      const repo = open({ files: { a: '1', '.gitignore': 'out/\n' } });
      const cases: [string, (root: string) => void, string | null][] = [
        ['changed', (root) => repo.writeAt(join(root, 'a'), '2'), null],
        ['ignored', (root) => repo.writeAt(join(root, 'out/x'), '2'), 'only ignored files changed'],
        [
          'commits',
          (root) => repo.gitIn(root, 'commit', '-q', '--allow-empty', '-m', 'x'),
          'commits without a net change',
        ],
      ];
      for (const [jobId, work, note] of cases) {
        const created = await jobWorktree(repo, { jobId });
        work(created.root);
        const finished = await finishWorktree({
          git: repo.runner,
          ...created,
          jobId,
          stateDir: repo.stateDir,
        });
        assert.deepEqual([finished.kept, finished.note], [true, note], jobId);
        assert.ok(existsSync(created.root));
      }
    });

    it('removes an unchanged tree wholly, included files or not', async () => {
      const repo = open({ files: { a: '1', '.gitignore': '.env\nnode_modules/\n' } });
      repo.write('.env', 'KEY=1');
      repo.write('node_modules/x/index.js', '1');
      const before = repo.fingerprint();
      const created = await jobWorktree(repo, { include: ['.env', 'node_modules/'] });
      assert.deepEqual(created.included.sort(), ['.env', 'node_modules/x/index.js']);
      const finished = await finishWorktree({
        git: repo.runner,
        ...created,
        jobId: 'job-1',
        stateDir: repo.stateDir,
      });
      assert.equal(finished.kept, false);
      assertNothingLeft(repo);
      assert.deepEqual(repo.fingerprint(), before);
    });
  });
});
