import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import {
  captureRepository,
  restoreRepository,
  type RepositoryState,
} from '../../../src/bridge/worktrees/repoGuard.ts';
import type { CreatedWorktree } from '../../../src/bridge/worktrees/furnishWorktree.ts';
import { jobWorktree } from '../../support/jobWorktree.ts';
import { tempRepo, type TempRepo } from '../../support/tempRepo.ts';

interface Job {
  readonly repo: TempRepo;
  readonly tree: CreatedWorktree;
  /** What the job runs, in its worktree. */
  readonly run: (...args: string[]) => string;
  readonly end: () => ReturnType<typeof restoreRepository>;
}

describe('repository guard', function () {
  this.timeout(60_000);
  const repos: TempRepo[] = [];
  afterEach(() => {
    for (const repo of repos.splice(0)) repo.dispose();
  });

  const open = (): TempRepo => {
    const repo = tempRepo({ files: { a: '1\n' }, commits: [{ a: '2\n' }, { b: '1\n' }] });
    repos.push(repo);
    repo.git('remote', 'add', 'origin', 'https://example.com/x.git');
    repo.git('config', '--add', 'remote.origin.fetch', '+refs/tags/*:refs/tags/*');
    repo.write('.git/hooks/pre-commit', { executable: '#!/bin/sh\nexit 0\n' });
    repo.write('.git/info/exclude', '*.tmp\n');
    return repo;
  };
  const begin = async (repo: TempRepo, jobId = 'job-1'): Promise<Job> => {
    const tree = await jobWorktree(repo, { jobId });
    // Through JSON, as it is kept with the job.
    const before = JSON.parse(
      JSON.stringify(await captureRepository(repo.runner, repo.root)),
    ) as RepositoryState;
    return {
      repo,
      tree,
      run: (...args) => repo.gitIn(tree.root, ...args),
      end: () =>
        restoreRepository(repo.runner, before, {
          jobId,
          ownBranch: tree.branch,
          worktreeId: basename(tree.gitDir),
          keepDir: join(repo.stateDir, 'jobs', jobId),
          stateDir: repo.stateDir,
        }),
    };
  };

  it('finds nothing when the job only worked', async () => {
    const job = await begin(open());
    const before = job.repo.fingerprint();
    job.repo.writeAt(join(job.tree.root, 'a'), 'x');
    job.run('commit', '-q', '-a', '-m', 'work', '--no-verify');
    job.run('update-ref', 'refs/remotes/origin/main', 'HEAD~1');
    job.run('update-ref', '-d', 'refs/remotes/origin/main');
    assert.deepEqual(await job.end(), { restored: [], unsure: [] });
    assert.deepEqual(job.repo.fingerprint(), before);
  });

  const touches: [string, (job: Job) => void, RegExp[]][] = [
    [
      'a setting that runs a program',
      (job) => job.run('config', 'core.fsmonitor', 'evil'),
      [/^config:core\.fsmonitor \(new\)$/],
    ],
    [
      'who commits',
      (job) => job.run('config', 'user.email', 'job@x'),
      [/^config:user\.email \(new\)$/],
    ],
    [
      'a filter',
      (job) => job.run('config', 'filter.x.clean', 'evil'),
      [/filter\.x\.clean \(new\)/],
    ],
    [
      'an include',
      (job) => job.run('config', 'include.path', '/tmp/evil'),
      [/include\.path \(new\)/],
    ],
    [
      'the address of a remote',
      (job) => job.run('config', 'remote.origin.url', 'https://evil.example/'),
      [/remote\.origin\.url \(changed\)/],
    ],
    [
      'one of several values',
      (job) => job.run('config', '--unset', 'remote.origin.fetch', 'tags'),
      [/remote\.origin\.fetch \(changed\)/],
    ],
    [
      'a removed setting',
      (job) => job.run('config', '--unset', 'core.filemode'),
      [/core\.filemode \(removed\)/],
    ],
    [
      'its own branch section',
      (job) => job.run('config', 'branch.delegate/job-1.remote', '.'),
      [/branch\.delegate\/job-1\.remote/],
    ],
    [
      'a config that git cannot read',
      (job) => writeFileSync(job.repo.path('.git/config'), '[broken\n'),
      [/^config \(could not be read as configuration\)$/],
    ],
    [
      'a config for one worktree',
      (job) => {
        job.run('config', 'extensions.worktreeConfig', 'true');
        job.run('config', '--worktree', 'core.pager', 'evil');
      },
      [/extensions\.worktreeconfig/, /worktrees\/job-1\/config\.worktree:core\.pager \(new\)/],
    ],
    [
      'a new hook',
      (job) => job.repo.write('.git/hooks/post-checkout', { executable: 'evil' }),
      [/^hooks\/post-checkout \(new\)$/],
    ],
    [
      'a changed hook',
      (job) => job.repo.write('.git/hooks/pre-commit', 'evil'),
      [/hooks\/pre-commit \(changed\)/],
    ],
    [
      'the mode of a hook',
      (job) => chmodSync(job.repo.path('.git/hooks/pre-commit'), 0o644),
      [/hooks\/pre-commit \(changed\)/],
    ],
    [
      'a deleted hook',
      (job) => rmSync(job.repo.path('.git/hooks/pre-commit')),
      [/hooks\/pre-commit \(deleted\)/],
    ],
    [
      'a hook that is a link',
      (job) => job.repo.write('.git/hooks/post-merge', { link: '/bin/true' }),
      [/hooks\/post-merge \(new\)/],
    ],
    [
      'info/exclude',
      (job) => job.repo.write('.git/info/exclude', '*\n'),
      [/info\/exclude \(changed\)/],
    ],
    [
      'info/attributes',
      (job) => job.repo.write('.git/info/attributes', '* filter=x\n'),
      [/info\/attributes \(new\)/],
    ],
    [
      'a branch with its commits',
      (job) => {
        job.run('checkout', '-q', '-b', 'side');
        job.run('commit', '-q', '--allow-empty', '--no-verify', '-m', 'x');
      },
      [/^refs\/heads\/side \(new, was at [0-9a-f]{10}\)$/],
    ],
    [
      'the branch that the user has checked out',
      (job) => job.run('update-ref', 'refs/heads/main', 'HEAD~1'),
      [/^refs\/heads\/main \(moved, was at [0-9a-f]{10}\)$/],
    ],
    [
      'a stash entry of the job',
      (job) => {
        job.repo.writeAt(join(job.tree.root, 'a'), 'stashed by the job');
        job.run('stash', 'push', '-q', '-m', 'mine');
      },
      [/^stash entry [0-9a-f]{10} \(new\)$/],
    ],
  ];
  for (const [name, touch, expected] of touches) {
    it(`puts back ${name}, and says so`, async () => {
      const repo = open();
      repo.write('kept', 'x');
      repo.git('stash', 'push', '-q', '-u');
      const job = await begin(repo);
      const before = repo.fingerprint();
      touch(job);
      const report = await job.end();
      assert.equal(report.restored.length, expected.length, report.restored.join());
      for (const [at, pattern] of expected.entries())
        assert.match(report.restored[at] ?? '', pattern);
      assert.deepEqual(report.unsure, []);
      assert.deepEqual(repo.fingerprint(), before);
      assert.deepEqual((await job.end()).restored, [], 'a second look finds nothing');
    });
  }

  it('keeps what it puts back', async () => {
    const job = await begin(open());
    const { repo } = job;
    repo.write('.git/hooks/post-merge', { executable: 'made by the job' });
    job.run('config', 'core.pager', 'less -x');
    job.repo.writeAt(join(job.tree.root, 'a'), 'stashed by the job');
    job.run('stash', 'push', '-q');
    const stash = repo.git('rev-parse', 'stash@{0}').trim();
    job.run('checkout', '-q', '-b', 'side');
    job.run('commit', '-q', '--allow-empty', '--no-verify', '-m', 'x');
    const side = repo.git('rev-parse', 'side').trim();
    await job.end();
    const kept = join(repo.stateDir, 'jobs/job-1/tampered');
    assert.equal(readFileSync(join(kept, 'hooks/post-merge'), 'utf8'), 'made by the job');
    assert.match(readFileSync(join(kept, 'config'), 'utf8'), /less -x/);
    const refs = repo.git('for-each-ref', '--format=%(objectname)', 'refs/delegate/undo/job-1');
    assert.deepEqual(refs.trim().split('\n').sort(), [side, stash].sort());
  });

  it('never undoes what the user does in the checkout meanwhile', async () => {
    const job = await begin(open());
    const { repo } = job;
    repo.write('a', 'stash me');
    repo.git('stash', 'push', '-q');
    repo.commit({ mine: '1' });
    repo.git('checkout', '-q', '-b', 'feature');
    repo.commit({ mine: '2' });
    repo.git('config', 'branch.feature.remote', 'origin');
    repo.git('config', 'branch.feature.vscode-merge-base', 'origin/main');
    repo.git('update-ref', 'refs/remotes/origin/feature', 'HEAD');
    repo.git('checkout', '-q', 'main');
    repo.git('merge', '-q', '--no-edit', 'feature');
    repo.git('reset', '-q', '--hard', 'HEAD~1');
    repo.write('staged', '1');
    repo.git('add', 'staged');
    const before = repo.fingerprint();
    assert.deepEqual(await job.end(), { restored: [], unsure: [] });
    assert.deepEqual(repo.fingerprint(), before);
  });

  it('reports what may be of either, and leaves it', async () => {
    const repo = open();
    repo.git('branch', 'old', 'HEAD~1');
    repo.write('kept', 'x');
    repo.git('stash', 'push', '-q', '-u');
    const popped = repo.git('rev-parse', 'stash').trim();
    const job = await begin(repo);
    job.run('tag', 'v1');
    job.run('branch', 'new');
    job.run('branch', '-q', '-D', 'old');
    job.run('stash', 'drop', '-q');
    job.run('remote', 'add', 'fork', 'https://example.com/y.git');
    const before = repo.fingerprint();
    const report = await job.end();
    assert.deepEqual(report.restored, []);
    assert.deepEqual(report.unsure.map((line) => line.replace(/[0-9a-f]{10}/g, '#')).sort(), [
      'config:remote.fork.fetch is new',
      'config:remote.fork.url is new',
      'refs/heads/new is new (at #)',
      'refs/heads/old was deleted (it was at #, which is kept)',
      'refs/tags/v1 is new (at #)',
      'stash entry # is gone (its commit is kept)',
    ]);
    assert.deepEqual(repo.fingerprint(), before);
    assert.match(repo.git('for-each-ref', 'refs/delegate/undo/job-1'), new RegExp(popped));
  });

  it('keeps the settings of the user that came at the same time as those of the job', async () => {
    const job = await begin(open());
    job.repo.git('config', 'branch.main.remote', 'origin');
    job.run('config', 'core.hooksPath', '.husky/_');
    const report = await job.end();
    assert.deepEqual(report.restored, ['config:core.hookspath (new)']);
    assert.equal(job.repo.git('config', 'branch.main.remote').trim(), 'origin');
    assert.throws(() => job.repo.git('config', 'core.hooksPath'));
  });

  it('keeps a commit that the user made on a branch that the job had moved', async () => {
    const job = await begin(open());
    job.run('update-ref', 'refs/heads/main', 'HEAD~1');
    const mine = job.repo.commit({ mine: '1' });
    const report = await job.end();
    assert.equal(job.repo.head(), mine);
    assert.deepEqual(report.restored, []);
  });

  it('does not bring back through a second job what was taken away after the first', async () => {
    const repo = open();
    const first = await begin(repo, 'job-1');
    first.run('config', 'core.fsmonitor', 'evil');
    repo.write('.git/hooks/post-checkout', { executable: 'evil' });
    const second = await begin(repo, 'job-2');
    assert.equal((await first.end()).restored.length, 2);
    assert.deepEqual(await second.end(), { restored: [], unsure: [] });
    assert.throws(() => repo.git('config', 'core.fsmonitor'));
    assert.ok(!existsSync(repo.path('.git/hooks/post-checkout')));
  });
});
