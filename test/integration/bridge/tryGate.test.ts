import { after, afterEach, before, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { TRIAL_PREFIX } from '../../../src/bridge/gates/leftTrials.ts';
import { type ReviewWorld, reviewWorld } from '../../support/reviewWorld.ts';
import { DIST, ROOT } from '../../support/bridgeWorld.ts';
import { McpTestClient } from '../../support/mcpClient.ts';

const MODELS = `gates:
  green: { run: 'cat a.txt; test ! -e loose.txt' }
  red: { run: 'echo not good; exit 3' }
  writes: { run: 'echo x > a.txt; echo y > new.txt; git add -A' }
  slow: { run: 'echo $$ > STARTED; (sleep 300 & wait) ; sleep 300' }
  short: { run: 'sleep 300', timeout_s: 1 }
  loud: { run: 'yes evil | head -c 20000000' }
  lines: { run: "printf '\\\\033[31mred\\\\033[0m\\\\n\\\\nlast'" }
`;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'ESRCH');
    return false;
  }
};

describe('a gate, tried on what is committed', function () {
  this.timeout(60_000);
  let world: ReviewWorld;
  let started: string;
  before(() => {
    world = reviewWorld({ files: { 'a.txt': 'committed\n' } });
    started = join(world.repo.scratch, 'started');
    // The state of the checkout that nothing may touch: staged, changed and new files.
    world.repo.write('a.txt', 'being worked on\n');
    world.repo.write('staged.txt', 'staged\n');
    world.repo.git('add', 'staged.txt');
    world.repo.write('loose.txt', 'not added\n');
  });
  after(() => world.dispose());
  const models = (text: string): void =>
    writeFileSync(
      join(world.repo.scratch, 'config', 'delegation-bridge', 'models.yaml'),
      text.replaceAll('STARTED', started),
    );
  const tryGate = (name: string, more: object = {}) =>
    world.bridge.tryGate(name, { cwd: world.repo.root, ...more });
  const trees = (): string[] => {
    const base = join(world.repo.stateDir, 'worktrees');
    if (!existsSync(base)) return [];
    return readdirSync(base, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.includes(TRIAL_PREFIX),
    );
  };
  const locks = (): string[] =>
    readdirSync(join(world.repo.stateDir, 'locks')).filter((name) => name.includes(TRIAL_PREFIX));
  before(() => models(MODELS));
  afterEach(() => assert.deepEqual([trees(), locks()], [[], []]));

  it('is passed or failed by its exit status, says on which commit, and leaves the checkout as it was', async () => {
    const before = world.repo.fingerprint();
    const green = await tryGate('green');
    assert.deepEqual(
      { ...green, durationS: 0 },
      {
        ...{ status: 'passed', exit: 0, tail: 'committed\n', durationS: 0, warnings: [] },
        commit: world.repo.git('rev-parse', 'HEAD').trim(),
      },
    );
    const red = await tryGate('red');
    assert.deepEqual([red.status, red.exit, red.tail], ['failed', 3, 'not good\n']);
    assert.equal((await tryGate('writes')).status, 'passed');
    assert.deepEqual(world.repo.fingerprint(), before);
  });

  it('its lines are heard as they come, safe to show, and much output is bounded', async () => {
    const heard: string[] = [];
    const { tail } = await tryGate('lines', { onLine: (line: string) => heard.push(line) });
    assert.match(heard[0] ?? '', /^lines: /);
    assert.deepEqual(heard.slice(1), ['red', 'last']);
    assert.ok(!tail.includes('\u001b'));
    assert.ok((await tryGate('loud')).tail.length <= 4_000);
  });

  it('the set-up of a tree runs first, and its failure is no verdict', async () => {
    models(`${MODELS}  needs: { run: test -f made }\nworktrees: { setup: touch made }\n`);
    assert.equal((await tryGate('needs')).status, 'passed');
    models(`${MODELS}worktrees: { setup: 'echo no network; exit 9' }\n`);
    await assert.rejects(tryGate('green'), {
      kind: 'setup_failed',
      message: /exit status 9: no network/,
    });
    models(MODELS);
  });

  it('reaches its time limit with a word about it', async () => {
    const short = await tryGate('short');
    assert.deepEqual([short.status, short.exit], ['failed', null]);
    assert.match(short.tail, /limit of 1 s/);
  });

  it('stopped by a person it ends with every process, and is no verdict', async () => {
    const before = world.repo.fingerprint();
    const stop = new AbortController();
    const run = tryGate('slow', { signal: stop.signal });
    run.catch(() => undefined);
    const pid = await startedPid();
    stop.abort();
    await assert.rejects(run, { kind: 'cancelled' });
    assert.ok(!isAlive(pid));
    assert.deepEqual(world.repo.fingerprint(), before);
    await assert.rejects(tryGate('green', { signal: AbortSignal.abort() }), { kind: 'cancelled' });
  });

  it('of a process that was killed nothing goes on, and the next trial takes its tree away', async () => {
    const before = world.repo.fingerprint();
    const child = spawn(process.execPath, [join(ROOT, 'bin/delegate.cjs'), 'gate', 'slow'], {
      cwd: world.repo.root,
      env: world.env,
      stdio: 'ignore',
      detached: true,
    });
    const pid = await startedPid();
    assert.ok(trees().length > 0);
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    while (isAlive(pid)) await delay(20);
    assert.ok(trees().length > 0, 'nobody was left to remove it');
    assert.equal((await tryGate('green')).status, 'passed');
    assert.deepEqual(world.repo.fingerprint(), before);
  });

  it('a gate of a workspace counts only when it is trusted; one that is not there is named with those that are', async () => {
    const file = world.repo.path('models.yaml');
    writeFileSync(file, 'endpoints: {}\ngates:\n  theirs: { run: "true" }\n');
    await assert.rejects(tryGate('theirs'), {
      kind: 'unknown_gate',
      hint: /green.*delegate trust/,
    });
    await world.bridge.trusted.add(world.repo.root);
    assert.equal((await tryGate('theirs')).status, 'passed');
    await world.bridge.trusted.remove(world.repo.root);
    const restricted = world.openBridge(true);
    await assert.rejects(restricted.tryGate('green', { cwd: world.repo.root }), {
      kind: 'restricted',
    });
    await restricted.dispose();
    await assert.rejects(world.bridge.tryGate('green', { cwd: world.repo.scratch }), {
      kind: 'not_a_repository',
    });
  });

  it('over MCP: the answer fits its contract, progress is told, a cancelled request ends it', async () => {
    const server = spawn(process.execPath, [join(DIST, 'server.cjs'), '--profile', 'ui'], {
      cwd: world.repo.root,
      env: world.env,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const mcp = await McpTestClient.connect(server, { name: 'delegation-bridge-vscode' });
    await mcp.client.listTools();
    const green = await mcp.call('try_gate', { cwd: world.repo.root, gate: 'green' });
    assert.equal(green.fields['status'], 'passed');
    const told: string[] = [];
    const stop = new AbortController();
    const call = mcp.client.callTool(
      { name: 'try_gate', arguments: { cwd: world.repo.root, gate: 'slow' } },
      undefined,
      { signal: stop.signal, onprogress: ({ message }) => told.push(message ?? '') },
    );
    call.catch(() => undefined);
    const pid = await startedPid();
    assert.match(told[0] ?? '', /^slow: echo/);
    stop.abort();
    await assert.rejects(call);
    while (isAlive(pid) || trees().length + locks().length > 0) await delay(20);
    assert.equal(await mcp.leave(), 0);
  });

  it('delegate gate NAME: output, verdict and exit code', async () => {
    const run = (...args: string[]) =>
      new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
        const child = spawn(process.execPath, [join(ROOT, 'bin/delegate.cjs'), 'gate', ...args], {
          cwd: world.repo.root,
          env: world.env,
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        const [out, err]: [Buffer[], Buffer[]] = [[], []];
        child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
        child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
        child.once('close', (code) => {
          resolve({
            code,
            stdout: Buffer.concat(out).toString(),
            stderr: Buffer.concat(err).toString(),
          });
        });
      });
    const commit = world.repo.git('rev-parse', 'HEAD').trim().slice(0, 12);
    const red = await run('red');
    assert.deepEqual([red.code, red.stdout], [1, `not good\nGate red: failed on ${commit}\n`]);
    const nobody = await run('gren');
    assert.match(
      nobody.stderr,
      /^There is neither a job nor a gate gren\.\nGates: models\.yaml has .*green/,
    );
    assert.notEqual(nobody.code, 0);
    const { code, stdout } = await run('green', '--json');
    assert.equal(code, 0);
    assert.equal(JSON.parse(stdout).status, 'passed');
  });

  /** Of the gate `slow`; the file is taken away, for the next one. */
  async function startedPid(): Promise<number> {
    const deadlineMs = performance.now() + 30_000;
    for (;;) {
      const text = existsSync(started) ? readFileSync(started, 'utf8').trim() : '';
      if (text !== '') {
        writeFileSync(started, '');
        return Number(text);
      }
      assert.ok(performance.now() < deadlineMs, 'the gate runs');
      await delay(20);
    }
  }
});
