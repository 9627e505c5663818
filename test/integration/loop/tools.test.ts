import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { after, before, describe, it } from 'mocha';
import { startHostGuard, type HostGuard } from '../../../src/bridge/processes/hostGuard.ts';
import { endJobProcesses, listJobProcesses } from '../../../src/bridge/processes/jobProcesses.ts';
import {
  toolFolder,
  type ToolFolder,
} from '../../unit/bridge/runners/loop/tools/toolBoxFixture.ts';

const NEVER = new AbortController().signal;
const SOURCE = resolve(import.meta.dirname, '../../../src');
const FIXTURE = resolve(
  import.meta.dirname,
  '../../unit/bridge/runners/loop/tools/toolBoxFixture.ts',
);

async function until(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!isSo()) {
    assert.ok(performance.now() < deadline, 'it did not come about within 10 s');
    await delay(5);
  }
}

describe('run_bash', function () {
  this.timeout(60_000);
  const jobId = `loop-test-bash-${process.pid}`;
  let guard: HostGuard;
  let folder: ToolFolder;
  before(() => {
    guard = startHostGuard(jobId);
    folder = toolFolder({ 'sub/a.txt': 'a\n' });
  });
  after(async () => {
    await endJobProcesses(jobId, 0);
    await guard.close();
    folder.dispose();
  });

  type Options = Parameters<ToolFolder['box']>[0];
  const box = (options: Options = {}) => folder.box({ jobId, guard, ...options });
  const run = (command: string, more: Record<string, unknown> = {}, options: Options = {}) =>
    box(options).call('run_bash', { command, ...more }, NEVER);
  const answer = (exit: number, stdout: string, stderr = ''): string =>
    [`exit_code: ${exit}`, '--- stdout ---', stdout, '--- stderr ---', stderr]
      .filter((part) => part !== '')
      .join('\n');

  const table: readonly [string, string, number, string, string][] = [
    ['output', 'echo hi', 0, 'hi', ''],
    ['both streams', 'echo out; echo err >&2', 0, 'out', 'err'],
    ['an exit status', 'exit 3', 3, '', ''],
    ['a signal', 'kill -9 $$', -9, '', ''],
    ['the work folder', 'basename "$PWD"; ls sub', 0, 'work\na.txt', ''],
    ['no input', 'cat; echo done', 0, 'done', ''],
    ['a pager that waits for nobody', 'echo "$PAGER $GIT_EDITOR"', 0, 'cat true', ''],
    ['bytes that are no text', "printf 'a\\377\\000b'", 0, 'a\ufffd\ufffdb', ''],
    ['quotes and line breaks', `printf '%s|' "a b" 'c"d' 'e\nf'`, 0, 'a b|c"d|e\nf|', ''],
  ];
  for (const [title, command, exit, stdout, stderr] of table) {
    it(`gives ${title}`, async () => {
      const outcome = await run(command);
      assert.deepEqual(outcome, { text: answer(exit, stdout, stderr), isError: false, exit });
    });
  }

  it('runs the same command again: after an edit it is another one', async () => {
    const test = 'test "$(cat sub/a.txt)" = b';
    assert.equal((await run(test)).exit, 1);
    await box().call('write_file', { path: 'sub/a.txt', content: 'b\n' }, NEVER);
    assert.equal((await run(test)).exit, 0);
  });

  it('has no secret in its environment but what the configuration passes on', async () => {
    const env = { ...process.env, LLAMA_KEY: 'secret-1', WANTED: 'secret-2', CLAUDECODE: '1' };
    const { text } = await run('env', {}, { env, settings: { env_passthrough: ['WANTED'] } });
    assert.match(text, /WANTED=secret-2/);
    assert.doesNotMatch(text, /secret-1|CLAUDECODE/);
  });

  it('keeps head and tail of a long output, with its true length', async () => {
    const { text } = await run('seq 1 200000; echo bad >&2', {}, { settings: { stdout_cap: 300 } });
    assert.match(text, /^exit_code: 0\n--- stdout ---\n1\n2\n3\n/);
    assert.match(text, /\n\[… 1288595 of 1288895 characters left out …\]\n/);
    assert.match(text, /\n199999\n200000\n--- stderr ---\nbad$/);
    assert.ok(text.length < 500);
  });

  it('ends with its shell: what runs on in the background does not hold it', async () => {
    const started = performance.now();
    const { text, exit } = await run('tail -f /dev/null & echo $!; echo early');
    assert.ok(performance.now() - started < 20_000);
    assert.equal(exit, 0);
    const [, pid] = /stdout ---\n(\d+)\nearly\n/.exec(text) ?? [];
    assert.match(text, /\n\[something still runs in the background; its further output is lost\]$/);
    assert.ok(listJobProcesses(jobId).includes(Number(pid)), 'it runs on, as a part of the job');
    assert.equal((await run('echo next')).exit, 0);
    assert.ok(listJobProcesses(jobId).includes(Number(pid)), 'also after the next command');
  });

  it('a background process that goes on writing is not ended by it', async () => {
    await run('{ while [ ! -e stop ]; do echo more; done; echo ended > ended; } &');
    await box().call('write_file', { path: 'stop', content: '' }, NEVER);
    await until(() => existsSync(folder.path('ended')));
  });

  it('a command that takes too long is ended, its output kept, and the model told', async () => {
    const { text, exit, isError } = await run(
      'echo early; trap "" TERM; while :; do sleep 1; done',
      {
        timeout_s: '1',
      },
    );
    assert.match(text, /^exit_code: none \(stopped after 1 s\)\n--- stdout ---\nearly\n/);
    assert.match(text, /\[stopped by the time limit; the output up to there is above/);
    assert.deepEqual([exit, isError], [null, true]);
  });

  it('takes the usual time limit, and no longer one than it says', async () => {
    const settings = { bash_timeout_s: 1 };
    assert.match((await run('sleep 30', {}, { settings })).text, /stopped after 1 s/);
    const [spec] = box({ settings }).specs.filter((each) => each.name === 'run_bash');
    assert.match(JSON.stringify(spec), /left out: 1; at most 10\./);
    assert.equal((await run('sleep 1.5', { timeout_s: 100 }, { settings })).exit, 0);
  });

  it('rejects when it is stopped, the command ended with its children', async () => {
    const stop = new AbortController();
    const before = listJobProcesses(jobId).length;
    const command = 'tail -f /dev/null; echo $?';
    const call = box().call('run_bash', { command }, stop.signal);
    await until(() => listJobProcesses(jobId).length === before + 2);
    stop.abort(new Error('cancelled'));
    await assert.rejects(call, /cancelled/);
    await until(() => listJobProcesses(jobId).length === before);
  });

  it('says why it could not start', async () => {
    const gone = toolFolder();
    const tools = gone.box({ jobId, guard });
    gone.dispose();
    const outcome = await tools.call('run_bash', { command: 'true' }, NEVER);
    assert.match(outcome.text, /^The command could not be started: /);
    assert.deepEqual([outcome.isError, outcome.exit], [true, null]);
  });

  it('never runs more commands at once than allowed, over all processes', async () => {
    const lockDir = join(folder.scratch, 'locks');
    const log = folder.path('log');
    const script = `
import { toolFolder } from ${JSON.stringify(FIXTURE)};
import { startHostGuard } from ${JSON.stringify(`${SOURCE}/bridge/processes/hostGuard.ts`)};
const [jobId, cwd, lockDir] = process.argv.slice(1);
const guard = startHostGuard(jobId);
const folder = toolFolder();
const tools = folder.box({ jobId, guard, cwd, lockDir, settings: { bash_concurrency: 2 } });
const command = 'echo + >> log; sleep 0.1; echo - >> log';
await Promise.all([1, 2, 3].map(() => tools.call('run_bash', { command }, new AbortController().signal)));
folder.dispose();
process.exit(0);`;
    const children = [1, 2, 3].map((which) =>
      spawn(
        process.execPath,
        ['--input-type=module-typescript', '-e', script, `${jobId}-${which}`, folder.root, lockDir],
        { stdio: ['ignore', 'ignore', 'inherit'] },
      ),
    );
    for (const [code] of await Promise.all(children.map((child) => once(child, 'exit')))) {
      assert.equal(code, 0);
    }
    let running = 0;
    let most = 0;
    for (const line of readFileSync(log, 'utf8').trim().split('\n')) {
      running += line === '+' ? 1 : -1;
      most = Math.max(most, running);
    }
    assert.deepEqual([running, most], [0, 2]);
  });

  it('a wait for a place ends with the job', async () => {
    const lockDir = join(folder.scratch, 'locks-2');
    const options = { lockDir, settings: { bash_concurrency: 1 } };
    const first = run('while [ ! -e go ]; do sleep 0.05; done', {}, options);
    const stop = new AbortController();
    const second = box(options).call('run_bash', { command: 'touch second' }, stop.signal);
    await until(() => existsSync(join(lockDir, 'bash-0.lock')));
    stop.abort(new Error('cancelled'));
    await assert.rejects(second, /cancelled/);
    await box().call('write_file', { path: 'go', content: '' }, NEVER);
    assert.equal((await first).exit, 0);
    assert.equal(existsSync(folder.path('second')), false);
  });
});
