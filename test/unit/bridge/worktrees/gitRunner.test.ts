import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, it } from 'mocha';
import { BridgeError } from '../../../../src/base/bridgeError.ts';
import { GitRunner } from '../../../../src/bridge/worktrees/gitRunner.ts';
import { openGit } from '../../../../src/bridge/worktrees/lfs.ts';
import { tempRepo, type TempRepo, type TempRepoOptions } from '../../../support/tempRepo.ts';

describe('GitRunner', () => {
  const repos: TempRepo[] = [];
  const open = (options: TempRepoOptions = { files: { a: '1' } }): TempRepo => {
    const repo = tempRepo(options);
    repos.push(repo);
    return repo;
  };
  afterEach(() => {
    for (const repo of repos.splice(0)) repo.dispose();
  });
  /** An alias that is a shell command: a git call that takes as long, and says what, a test needs. */
  const alias = (command: string): string[] => ['-c', `alias.x=!${command}`, 'x'];
  const fails = (pattern: RegExp) => (error: unknown) => {
    assert.ok(BridgeError.is(error, 'git_failed'), String(error));
    assert.match(error.message, pattern);
    return true;
  };

  it('gives output, exit status and the last lines of what git said', async () => {
    const repo = open();
    const { runner, root } = repo;
    assert.equal(await runner.text(['rev-parse', 'HEAD'], { cwd: root }), repo.head());
    const quiet = await runner.run(['rev-parse', '-q', '--verify', 'nope'], {
      cwd: root,
      okCodes: [0, 1],
    });
    assert.deepEqual([quiet.code, quiet.stdout.length], [1, 0]);
    await assert.rejects(
      runner.run(['rev-parse', 'nope'], { cwd: root }),
      fails(/^git rev-parse failed \(exit 128\).*unknown revision/s),
    );
    const long = runner.run(
      alias('for i in 1 2 3 4 5 6 7 8 9; do echo line $i >&2; done; exit 3'),
      { cwd: root },
    );
    await assert.rejects(long, (error) => {
      assert.ok(BridgeError.is(error, 'git_failed'));
      assert.equal(error.details.exit, 3);
      assert.equal(String(error.details.stderr).split('\n').at(-1), 'line 9');
      assert.ok(!String(error.details.stderr).includes('line 1'));
      return true;
    });
  });

  it('passes nothing on of an outer git, of Electron, or of prompts', async () => {
    const repo = open();
    const runner = new GitRunner({
      env: {
        ...repo.env,
        GIT_DIR: '/nowhere',
        GIT_INDEX_FILE: '/nowhere',
        git_x: '1',
        ELECTRON_RUN_AS_NODE: '1',
        KEPT: 'yes',
      },
    });
    const text = await runner.text(alias('env'), { cwd: repo.root, readOnly: true });
    const env = Object.fromEntries(
      text.split('\n').map((line) => line.split(/=(.*)/s).slice(0, 2)),
    );
    assert.equal(env.KEPT, 'yes');
    assert.equal(env.ELECTRON_RUN_AS_NODE, undefined);
    assert.equal(env.git_x, undefined);
    assert.notEqual(env.GIT_INDEX_FILE, '/nowhere');
    assert.equal(env.GIT_TERMINAL_PROMPT, '0');
    assert.equal(env.GIT_OPTIONAL_LOCKS, '0');
    assert.equal(env.GIT_CEILING_DIRECTORIES, repo.scratch);
    assert.equal(env.GIT_ALLOW_PROTOCOL, 'file');
  });

  it('closes stdin, or gives it what it is to read', async () => {
    const repo = open();
    assert.equal(await repo.runner.text(alias('cat'), { cwd: repo.root }), '');
    assert.equal(await repo.runner.text(alias('cat'), { cwd: repo.root, input: 'ä\0b' }), 'ä\0b');
    // A program that ends without reading is not a failure of the pipe.
    const big = Buffer.alloc(4_000_000);
    assert.equal((await repo.runner.run(alias('true'), { cwd: repo.root, input: big })).code, 0);
  });

  it('does not look for a repository above the folder unless it is told to', async () => {
    const repo = open({ files: { 'sub/a': '1' } });
    const call = { cwd: repo.path('sub') };
    await assert.rejects(
      repo.runner.run(['rev-parse', '--show-toplevel'], call),
      fails(/not a git repository/),
    );
    assert.equal(
      await repo.runner.text(['rev-parse', '--show-toplevel'], { ...call, discover: true }),
      repo.root,
    );
  });

  for (const how of ['timeout', 'cancel'] as const) {
    it(`ends the whole process group on ${how}`, async () => {
      const repo = open();
      const pidFile = join(repo.scratch, 'pid');
      const controller = new AbortController();
      const call = repo.runner.run(alias(`sleep 60 & echo $! > '${pidFile}'; wait`), {
        cwd: repo.root,
        ...(how === 'timeout' ? { timeoutMs: 400 } : { signal: controller.signal }),
      });
      const ended = assert.rejects(call, (error) =>
        how === 'timeout'
          ? fails(/did not finish within/)(error)
          : BridgeError.is(error, 'cancelled'),
      );
      await until(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8').endsWith('\n'));
      if (how === 'cancel') controller.abort();
      await ended;
      const pid = Number(readFileSync(pidFile, 'utf8'));
      await until(() => !isAlive(pid));
    });
  }

  it('does not start when it is cancelled already, and passes the reason on', async () => {
    const repo = open();
    const reason = new BridgeError('timeout', 'The job took too long.');
    const call = repo.runner.run(['version'], {
      cwd: repo.root,
      signal: AbortSignal.abort(reason),
    });
    await assert.rejects(call, (error) => error === reason);
  });

  it('bounds the output, by failing or by cutting', async () => {
    const repo = open();
    const endless = alias('yes');
    await assert.rejects(
      repo.runner.run(endless, { cwd: repo.root, maxBytes: 1000 }),
      fails(/more than 1000 bytes/),
    );
    const cut = await repo.runner.run(endless, { cwd: repo.root, maxBytes: 1001, onLimit: 'cut' });
    assert.deepEqual([cut.stdout.length, cut.truncated], [1001, true]);
  });

  it('says which is missing, git or the folder', async () => {
    const repo = open();
    const noGit = new GitRunner({ env: { PATH: repo.home } });
    await assert.rejects(noGit.run(['version'], { cwd: repo.root }), fails(/Git was not found/));
    await assert.rejects(
      repo.runner.run(['version'], { cwd: join(repo.root, 'gone') }),
      fails(/does not exist/),
    );
  });

  it('names the exact exception for a folder of another owner, and sets none', async () => {
    const repo = open({ files: { a: '1' }, name: "it's mine" });
    const call = repo.runner.run(['status'], {
      cwd: repo.root,
      env: { GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' },
    });
    await assert.rejects(call, (error) => {
      assert.ok(BridgeError.is(error, 'git_failed'));
      assert.equal(error.details.safe_directory, repo.root);
      const command = /run: (git config .*)$/.exec(error.hint)?.[1];
      assert.ok(command);
      execFileSync('sh', ['-c', command], { env: repo.env });
      assert.equal(repo.git('config', '--global', 'safe.directory').trim(), repo.root);
      return true;
    });
  });

  it('shows no credentials of an address', async () => {
    const repo = open();
    const call = repo.runner.run(
      alias('echo fatal: https://user:hunter2@example.com/x >&2; exit 1'),
      { cwd: repo.root },
    );
    await assert.rejects(call, (error) => {
      assert.ok(
        !JSON.stringify([String(error), (error as BridgeError).details.stderr]).includes('hunter2'),
      );
      return true;
    });
  });

  it('opens no connection', async () => {
    const repo = open();
    const call = repo.runner.run(['ls-remote', 'https://127.0.0.1:9/x.git'], { cwd: repo.root });
    await assert.rejects(call, fails(/transport 'https' not allowed/));
  });

  it('looks for git-lfs once', async () => {
    const repo = open();
    assert.equal(
      (await openGit({ env: repo.env, cwd: repo.root, runsFilters: true })).lfsMissing,
      !hasLfs(repo),
    );
    repo.writeAt(join(repo.home, 'git-lfs'), { executable: '#!/bin/sh\nexit 0\n' });
    const env = { ...repo.env, PATH: `${repo.home}:${repo.env.PATH ?? ''}` };
    assert.equal((await openGit({ env, cwd: repo.root, runsFilters: true })).lfsMissing, false);
  });
});

function hasLfs(repo: TempRepo): boolean {
  try {
    repo.git('lfs', 'version');
    return true;
  } catch (error) {
    assert.equal((error as { status?: number }).status, 1);
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ESRCH');
    return false;
  }
}

async function until(isTrue: () => boolean, deadlineMs = 5_000): Promise<void> {
  const end = performance.now() + deadlineMs;
  while (!isTrue()) {
    assert.ok(performance.now() < end, 'did not happen in time');
    await delay(10);
  }
}
