import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { listChanges } from '../../../src/bridge/worktrees/changeList.ts';
import { finishWorktree } from '../../../src/bridge/worktrees/finishWorktree.ts';
import { readFolderStart } from '../../../src/bridge/worktrees/folderStart.ts';
import { snapshotFolder } from '../../../src/bridge/worktrees/snapshot.ts';
import { jobWorktree } from '../../support/jobWorktree.ts';
import { tempRepo, type TempRepo, type TempRepoOptions } from '../../support/tempRepo.ts';

const REF = 'refs/delegate/base/job-1';

describe('snapshots of the user folder', function () {
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

  /** A checkout in the worst state: staged, unstaged, untracked, ignored, renamed, deleted, conflicted, a nested repository. */
  const untidy = (): TempRepo => {
    const repo = open({
      files: {
        staged: '1\n',
        unstaged: '1\n',
        gone: '1\n',
        moved: '1\n2\n3\n4\n',
        both: 'base\n',
        '.gitignore': '*.log\n',
      },
    });
    repo.git('switch', '-q', '-c', 'theirs');
    repo.commit({ both: 'theirs\n' });
    repo.git('switch', '-q', 'main');
    repo.commit({ both: 'ours\n' });
    repo.write('stashed', 'x');
    repo.git('stash', 'push', '-q', '-u');
    assert.throws(() => repo.git('merge', 'theirs'));
    repo.write('staged', '2\n');
    repo.git('add', 'staged');
    repo.git('mv', 'moved', 'renamed');
    repo.write('unstaged', '2\n');
    rmSync(repo.path('gone'));
    repo.write('new/untracked', '1\n');
    repo.write('x.log', '1\n');
    mkdirSync(repo.path('nested'));
    repo.gitIn(repo.path('nested'), 'init', '-q');
    repo.write('nested/f', '1');
    return repo;
  };

  it('start a job from the user changes, whose tree and index stay the same to the end', async () => {
    const repo = untidy();
    const before = repo.fingerprint();
    const created = await jobWorktree(repo, { from: 'working-tree' });
    assert.deepEqual(repo.fingerprint(), before);
    assert.match(created.warnings.join(), /nested is a repository of its own/);
    const files = repo.gitIn(created.root, 'ls-files', '-z').split('\0').filter(Boolean);
    assert.deepEqual(files, [
      '.gitignore',
      'both',
      'new/untracked',
      'renamed',
      'staged',
      'unstaged',
    ]);
    assert.equal(readFileSync(join(created.root, 'both'), 'utf8'), repo.read('both'));
    assert.equal(readFileSync(join(created.root, 'unstaged'), 'utf8'), '2\n');
    assert.deepEqual(await listChanges({ git: repo.runner, ...created }), []);
    repo.writeAt(join(created.root, 'unstaged'), '3\n');
    const changes = await listChanges({ git: repo.runner, ...created });
    assert.deepEqual(
      changes.map((change) => change.path),
      ['unstaged'],
      'only what the job changed',
    );
    repo.writeAt(join(created.root, 'unstaged'), '2\n');
    const end = await finishWorktree({
      git: repo.runner,
      ...created,
      jobId: 'job-1',
      stateDir: repo.stateDir,
    });
    assert.equal(end.kept, false);
    assert.deepEqual(repo.fingerprint(), before);
  });

  it('leave nothing and no change behind when such a job is cancelled', async () => {
    const repo = untidy();
    const before = repo.fingerprint();
    await assert.rejects(jobWorktree(repo, { from: 'working-tree', signal: AbortSignal.abort() }));
    assert.deepEqual(repo.fingerprint(), before);
    assert.equal(repo.git('for-each-ref', 'refs/delegate', 'refs/heads/delegate'), '');
  });

  it('tell what a job without isolation changed, also in another process', async () => {
    const repo = untidy();
    // Folders that ignore themselves, as test tools make them.
    repo.write('.cache/.gitignore', '*\n');
    repo.write('.cache/x', '1');
    const before = repo.fingerprint();
    const keepDir = join(repo.stateDir, 'jobs/job-1');
    const snapshot = await snapshotFolder({
      git: repo.runner,
      cwd: repo.path('new'),
      ref: REF,
      keepDir,
    });
    assert.ok(snapshot);
    assert.deepEqual(repo.fingerprint(), before);
    assert.equal(snapshot.prefix, 'new');
    assert.deepEqual(snapshot.start.nested, ['nested']);
    assert.equal(repo.git('rev-parse', REF).trim(), snapshot.commit);

    const start = await readFolderStart(keepDir);
    assert.deepEqual(start, snapshot.start);
    const list = () =>
      listChanges({
        git: repo.runner,
        root: repo.root,
        base: snapshot.commit,
        start: start ?? undefined,
      });
    assert.deepEqual(await list(), []);
    repo.write('unstaged', '3\n4\n');
    repo.write('new/more', 'x\n');
    renameSync(repo.path('renamed'), repo.path('again'));
    repo.write('x.log', 'longer now\n');
    repo.write('y.log', '1');
    repo.write('.gitignore', '');
    const changed = await list();
    assert.deepEqual(
      changed.map((change) => `${change.change} ${change.path}`),
      [
        'modified .gitignore',
        'renamed again',
        'added new/more',
        'modified unstaged',
        'ignored x.log',
        'ignored y.log',
      ],
    );
    assert.deepEqual({ ...repo.fingerprint(), files: '' }, { ...before, files: '' });
  });

  it('work before the first commit, and are null outside git', async () => {
    const repo = open();
    repo.write('a', '1\n');
    const snapshot = await snapshotFolder({ git: repo.runner, cwd: repo.root, ref: REF });
    assert.ok(snapshot);
    assert.equal(repo.git('rev-list', '--count', snapshot.commit).trim(), '1');
    repo.write('a', '2\n');
    const changes = await listChanges({
      git: repo.runner,
      root: repo.root,
      base: snapshot.commit,
      start: snapshot.start,
    });
    assert.deepEqual(
      changes.map((change) => change.path),
      ['a'],
    );
    assert.equal(await snapshotFolder({ git: repo.runner, cwd: repo.home, ref: REF }), null);
  });

  it('carry an author of their own', async () => {
    const repo = open({ files: { a: '1' } });
    const snapshot = await snapshotFolder({ git: repo.runner, cwd: repo.root, ref: REF });
    assert.equal(
      repo.git('log', '-1', '--format=%an %cn', snapshot?.commit ?? '').trim(),
      'Delegation Bridge Delegation Bridge',
    );
  });
});
