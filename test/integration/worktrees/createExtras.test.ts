import assert from 'node:assert/strict';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { listChanges } from '../../../src/bridge/worktrees/changeList.ts';
import { finishWorktree } from '../../../src/bridge/worktrees/finishWorktree.ts';
import { jobWorktree } from '../../support/jobWorktree.ts';
import { tempRepo, type TempRepo, type TempRepoOptions } from '../../support/tempRepo.ts';

describe('what a new worktree gets besides its commit', function () {
  this.timeout(60_000);
  const repos: TempRepo[] = [];
  const open = (options: TempRepoOptions): TempRepo => {
    const repo = tempRepo(options);
    repos.push(repo);
    return repo;
  };
  afterEach(() => {
    for (const repo of repos.splice(0)) repo.dispose();
  });
  const IGNORED = '.env\n.env.*\n!.env.example\nnode_modules/\n*.secret\n.dev.vars\n';

  describe('included files', () => {
    it('are exactly the ignored files that .worktreeinclude names', async () => {
      const repo = open({
        files: {
          '.gitignore': IGNORED,
          '.env.example': 'tracked',
          '.worktreeinclude':
            '# local settings\r\n.env\n.env.*\n**/.dev.vars\n/node_modules/\nuntracked.txt\n!.env.prod\n',
        },
      });
      for (const path of [
        '.env',
        'app/.env',
        '.env.prod',
        '.env.test',
        'w/.dev.vars',
        'k.secret',
      ]) {
        repo.write(path, path);
      }
      repo.write('node_modules/m/i.js', '1');
      repo.write('app/node_modules/m/i.js', '1');
      repo.write('untracked.txt', 'not ignored');
      const created = await jobWorktree(repo);
      assert.deepEqual(created.included.sort(), [
        '.env',
        '.env.test',
        'app/.env',
        'node_modules/m/i.js',
        'w/.dev.vars',
      ]);
      assert.deepEqual(created.skippedIncludes, []);
      assert.equal(readFileSync(join(created.root, 'app/.env'), 'utf8'), 'app/.env');
      assert.ok(!existsSync(join(created.root, 'untracked.txt')));
      assert.deepEqual(await listChanges({ git: repo.runner, ...created }), []);
    });

    it("come from VS Code's setting when there is no .worktreeinclude, comments and all", async () => {
      const repo = open({
        files: {
          '.gitignore': IGNORED,
          '.vscode/settings.json':
            '{\n // mine\n "git.worktreeIncludeFiles": [".env", "bad\\nline", 3,],\n}\n',
        },
      });
      repo.write('.env', '1');
      assert.deepEqual((await jobWorktree(repo)).included, ['.env']);
      assert.deepEqual((await jobWorktree(repo, { jobId: 'job-2', include: 'none' })).included, []);
      repo.write('.worktreeinclude', '');
      assert.deepEqual((await jobWorktree(repo, { jobId: 'job-3' })).included, []);
    });

    it('keep mode, odd names and symbolic links', async () => {
      const repo = open({ files: { '.gitignore': '*.secret\n' } });
      repo.write('ü ö.secret', { executable: '1' });
      repo.write(':(top)a.secret', '2');
      repo.write('line\nend.secret', '3');
      repo.write('link.secret', { link: 'ü ö.secret' });
      const created = await jobWorktree(repo, { include: ['*.secret'] });
      assert.deepEqual(created.included.sort(), [
        ':(top)a.secret',
        'line\nend.secret',
        'link.secret',
        'ü ö.secret',
      ]);
      assert.equal(lstatSync(join(created.root, 'ü ö.secret')).mode & 0o111, 0o111);
      assert.equal(readlinkSync(join(created.root, 'link.secret')), 'ü ö.secret');
    });

    it('never replace a file of the commit and never go through a symbolic link', async () => {
      const repo = open({ files: { '.gitignore': IGNORED, a: '1' } });
      const outside = join(repo.scratch, 'outside');
      mkdirSync(outside);
      symlinkSync(outside, repo.path('conf'));
      repo.write('.env', 'tracked');
      repo.git('add', '-f', '.env', 'conf');
      repo.git('commit', '-q', '-m', 'x');
      // In the checkout both are what they are not in the commit.
      repo.git('rm', '-q', '--cached', '.env', 'conf');
      repo.write('.env', 'local');
      rmSync(repo.path('conf'));
      repo.write('conf/.env', 'leak');
      const created = await jobWorktree(repo, { include: ['.env'] });
      assert.deepEqual(created.included, []);
      assert.deepEqual(created.skippedIncludes.map((skipped) => skipped.path).sort(), [
        '.env',
        'conf/.env',
      ]);
      assert.match(
        created.skippedIncludes.map((skipped) => skipped.reason).join(),
        /already.*leads out|leads out.*already/,
      );
      assert.equal(readFileSync(join(created.root, '.env'), 'utf8'), 'tracked');
      assert.ok(!existsSync(join(outside, '.env')));
    });
  });

  describe('submodules', () => {
    const withSubmodule = (): { repo: TempRepo; library: TempRepo } => {
      const library = open({ files: { 'lib.js': '1' }, name: 'library' });
      const repo = open({ files: { a: '1' } });
      repo.git('submodule', '--quiet', 'add', library.root, 'libs/one');
      repo.git('commit', '-q', '-m', 'submodule');
      return { repo, library };
    };

    it('are checked out when their commits are there, and nothing is written to the shared config', async () => {
      const { repo, library } = withSubmodule();
      const before = repo.fingerprint();
      // The address must not be needed.
      rmSync(library.root, { recursive: true });
      const created = await jobWorktree(repo);
      assert.deepEqual(created.warnings, []);
      assert.equal(readFileSync(join(created.root, 'libs/one/lib.js'), 'utf8'), '1');
      assert.deepEqual(repo.fingerprint(), before);
      const list = () => listChanges({ git: repo.runner, ...created });
      assert.deepEqual(await list(), []);

      repo.writeAt(join(created.root, 'libs/one/lib.js'), '2');
      assert.deepEqual(
        (await list()).map(({ path, change }) => [path, change]),
        [['libs/one', 'nested']],
      );
      repo.gitIn(join(created.root, 'libs/one'), 'commit', '-q', '-a', '-m', 'x');
      assert.deepEqual(
        (await list()).map(({ path, change }) => [path, change]),
        [['libs/one', 'submodule']],
      );
      repo.gitIn(join(created.root, 'libs/one'), 'checkout', '-q', 'HEAD~1');
      const end = await finishWorktree({
        git: repo.runner,
        ...created,
        jobId: 'job-1',
        stateDir: repo.stateDir,
      });
      assert.equal(end.kept, false);
      assert.deepEqual(repo.fingerprint(), before);
    });

    it('are reported when they stay empty, and do not fail the job', async () => {
      const { repo } = withSubmodule();
      const off = await jobWorktree(repo, { submodules: 'none' });
      assert.match(off.warnings.join(), /libs\/one is empty: worktrees\.submodules says so/);
      assert.deepEqual(await listChanges({ git: repo.runner, ...off }), []);
      rmSync(repo.path('.git/modules'), { recursive: true });
      const auto = await jobWorktree(repo, { jobId: 'job-2' });
      assert.match(
        auto.warnings.join(),
        /libs\/one is empty: its commit is not in the repository yet/,
      );
      const always = await jobWorktree(repo, { jobId: 'job-3', submodules: true });
      assert.deepEqual(always.warnings, []);
      assert.ok(existsSync(join(always.root, 'libs/one/lib.js')));
    });

    it('run no command that the configuration names for their update', async () => {
      const { repo } = withSubmodule();
      const trace = join(repo.scratch, 'trace');
      repo.git('config', 'submodule.libs/one.update', `!touch '${trace}'`);
      await jobWorktree(repo);
      assert.ok(!existsSync(trace));
    });
  });
});
