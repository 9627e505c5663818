import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, it } from 'mocha';
import { Bridge } from '../../../src/bridge/bridge.ts';
import { JobStore } from '../../../src/bridge/jobs/jobStore.ts';
import { DIST, PERSON, script } from '../../support/bridgeWorld.ts';
import { allProcesses, hostOf, processesOf } from '../../support/killProcesses.ts';
import { KillWorld } from '../../support/killWorld.ts';
import { McpTestClient } from '../../support/mcpClient.ts';
import { describeWithClaude } from '../../support/withClaude.ts';

/** A client in a process of its own, with the server as its child; says the id of its job. */
const CLIENT = `
const { spawn } = require('node:child_process');
const [serverFile, task] = process.argv.slice(1);
const server = spawn(process.execPath, [serverFile], { stdio: ['pipe', 'pipe', 'ignore'] });
const send = (message) => server.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
let text = '';
server.stdout.on('data', (chunk) => {
  text += chunk;
  const lines = text.split('\\n');
  text = lines.pop();
  for (const line of lines) {
    const message = JSON.parse(line);
    if (message.id === 1) {
      send({ method: 'notifications/initialized' });
      send({ id: 2, method: 'tools/call', params: { name: 'run_agent', arguments: { task } } });
    }
    if (message.id === 2) console.log(JSON.stringify({ id: message.result.structuredContent.job.id, server: server.pid }));
  }
});
send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } } });
`;

describeWithClaude('the queue when those who asked are gone', function () {
  this.timeout(180_000);
  let kill: KillWorld;
  afterEach(() => kill.dispose());

  const server = (): Promise<McpTestClient> =>
    McpTestClient.connect(kill.world.start('server.cjs'));
  const runAgent = async (mcp: McpTestClient, ...lines: string[]): Promise<string> => {
    const { fields, text } = await mcp.call('run_agent', {
      task: script(...lines),
      cwd: kill.world.repo.root,
    });
    assert.equal(fields['ok'], true, text);
    return fields['job'].id as string;
  };
  /** Without looking after the queue itself, as a test does that waits by the bridge. */
  const ended = (id: string): Promise<boolean> =>
    kill.until(`the end of ${id}`, () => kill.job(id).finishedAt !== null);

  it('a server killed with -9 while its job waits: the host before it admits it', async () => {
    kill = await KillWorld.open();
    kill.smudge.set();
    const [one, two] = [await server(), await server()];
    const first = await runAgent(one, 'write a.txt: A', 'say: ok');
    await kill.until('the first in the middle', () => kill.smudge.isReached);
    const second = await runAgent(two, 'write b.txt: B', 'say: ok');
    assert.equal(kill.job(second).status, 'queued');
    for (const mcp of [one, two]) {
      mcp.child.kill('SIGKILL');
      await mcp.exited;
    }
    kill.smudge.release();
    await ended(first);
    await ended(second);
    assert.equal((await kill.assertOver(first)).status, 'done');
    assert.equal((await kill.assertOver(second)).status, 'done');
    await kill.assertWorkKept(second, ['b.txt']);
  });

  it('everybody killed with -9: the next server goes on with what waits', async () => {
    kill = await KillWorld.open();
    const mcp = await server();
    const first = await runAgent(mcp, 'write a.txt: A', 'hang 120s', 'say: late');
    const second = await runAgent(mcp, 'write b.txt: B', 'say: ok');
    await kill.until('the first at work', () => kill.hasWritten(first, 'a.txt'));
    mcp.child.kill('SIGKILL');
    await mcp.exited;
    process.kill(hostOf(first).pid, 'SIGKILL');
    await kill.until('the end of all', () => processesOf(first).length === 0);
    assert.equal(kill.job(second).status, 'queued');
    const later = await server();
    const { fields } = await later.call('list_jobs');
    assert.equal(fields['ok'], true);
    await ended(second);
    assert.equal(await later.leave(), 0);
    assert.equal((await kill.assertOver(first)).status, 'lost');
    assert.equal((await kill.assertOver(second)).status, 'done');
    await kill.assertWorkKept(first);
  });

  it('a client killed with -9: its server leaves, its job goes on', async () => {
    kill = await KillWorld.open();
    kill.gate.set();
    const client = spawn(
      process.execPath,
      ['-e', CLIENT, join(DIST, 'server.cjs'), script('hang 1s', 'write a.txt: A', 'say: ok')],
      { cwd: kill.world.repo.root, env: kill.world.env, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [line] = (await once(client.stdout, 'data')) as [Buffer];
    const said = JSON.parse(line.toString()) as { id: string; server: number };
    client.kill('SIGKILL');
    await kill.until('the server has left', () =>
      allProcesses().every(({ pid }) => pid !== said.server),
    );
    await ended(said.id);
    assert.equal((await kill.assertOver(said.id)).status, 'done');
    await kill.assertWorkKept(said.id);
  });

  it('a server that leaves while jobs wait and nobody lives starts the admitter, which ends with the queue', async () => {
    kill = await KillWorld.open();
    const store = new JobStore(kill.world.repo.stateDir);
    try {
      store.setCooldown('rehearsal', Date.now() + 3_600_000, 'test');
      const mcp = await server();
      const id = await runAgent(mcp, 'write a.txt: A', 'say: ok');
      assert.equal(kill.job(id).queueReason, 'cooldown');
      assert.equal(await mcp.leave(), 0);
      await kill.until('the admitter', () => hasAdmitter(kill));
      assert.equal(kill.job(id).status, 'queued');
      store.setCooldown('rehearsal', 0, 'over');
      await ended(id);
      assert.equal((await kill.assertOver(id)).status, 'done');
      await kill.until('the end of the admitter', () => !hasAdmitter(kill));
    } finally {
      store.close();
    }
  });

  it('a server that leaves when the last host has just died: the admitter looks after what waits', async () => {
    kill = await KillWorld.open();
    const { root } = kill.world.repo;
    const [one, two] = [kill.world.openBridge(), kill.world.openBridge()];
    const submit = async (bridge: Bridge, ...lines: string[]): Promise<string> =>
      (await bridge.submit({ task: script(...lines), cwd: root }, PERSON, root)).id;
    const first = await submit(one, 'write a.txt: A', 'hang 120s', 'say: late');
    const second = await submit(two, 'write b.txt: B', 'say: ok');
    await kill.until('the first at work', () => kill.hasWritten(first, 'a.txt'));
    await one.dispose();
    process.kill(hostOf(first).pid, 'SIGKILL');
    await kill.until('the end of all', () => processesOf(first).length === 0);
    await two.dispose();
    await ended(second);
    assert.equal((await kill.assertOver(first)).status, 'lost');
    assert.equal((await kill.assertOver(second)).status, 'done');
  });

  it('delegate admit runs what waits, one after the other, and ends', async () => {
    kill = await KillWorld.open();
    const mcp = await server();
    const first = await runAgent(mcp, 'hang 120s', 'say: late');
    const waiting = [await runAgent(mcp, 'say: two'), await runAgent(mcp, 'say: three')];
    await kill.until('the first at work', () => kill.job(first).status === 'running');
    mcp.child.kill('SIGKILL');
    await mcp.exited;
    process.kill(hostOf(first).pid, 'SIGKILL');
    const admit = await kill.world.cli('admit');
    assert.equal(admit.code, 0, admit.stderr);
    for (const id of waiting) await ended(id);
    assert.deepEqual(
      waiting.map((id) => kill.job(id).status),
      ['done', 'done'],
    );
    assert.equal((await kill.assertOver(first)).status, 'lost');
  });
});

describeWithClaude('a host killed before it holds its lock', function () {
  this.timeout(180_000);
  let kill: KillWorld;
  afterEach(() => kill.dispose());

  /** A bridge whose hosts are started by a shell script: `$1` is the bundle, `$2` the job. */
  const bridgeWith = (...lines: string[]): Bridge => {
    const { repo, env } = kill.world;
    const file = join(repo.scratch, 'runtime');
    writeFileSync(file, ['#!/bin/sh', `echo $$ >> "${startsFile()}"`, ...lines, ''].join('\n'));
    chmodSync(file, 0o755);
    return new Bridge({
      env,
      homeDir: repo.home,
      configFile: null,
      installation: { execPath: file, distDir: DIST },
      isRestricted: false,
    });
  };
  const startsFile = (): string => join(kill.world.repo.scratch, 'starts');
  const starts = (): number[] =>
    existsSync(startsFile())
      ? readFileSync(startsFile(), 'utf8').trim().split('\n').map(Number)
      : [];

  for (const [deaths, status] of [
    [1, 'done'],
    [2, 'failed'],
  ] as const) {
    it(`${deaths} of two starts: the job has ${status}, and the next job runs`, async () => {
      kill = await KillWorld.open();
      const bridge = bridgeWith(
        `[ "$(wc -l < "${startsFile()}")" -gt ${deaths} ] || kill -s KILL $$`,
        `exec "${process.execPath}" "$@"`,
      );
      try {
        const { root } = kill.world.repo;
        const ids: string[] = [];
        for (const name of ['a', 'b'])
          ids.push(
            (
              await bridge.submit(
                { task: script(`write ${name}.txt: A`, 'say: ok'), cwd: root },
                PERSON,
                root,
              )
            ).id,
          );
        const { finished } = await bridge.wait(ids, { mode: 'all', timeoutMs: 90_000 });
        assert.deepEqual(
          finished.map((job) => job.status),
          [status, 'done'],
        );
        if (status === 'failed') {
          assert.equal(finished[0]?.failure?.kind, 'host_start_failed');
          assert.equal(finished[0].worktree, null);
        }
        for (const id of ids) await kill.assertOver(id);
        await kill.assertWorkKept(ids[1] ?? '', ['b.txt']);
      } finally {
        await bridge.dispose();
      }
    });
  }

  it('a job that was cancelled while its host did not come up is cancelled, not started again', async () => {
    kill = await KillWorld.open();
    const bridge = bridgeWith('while :; do sleep 0.05; done');
    const store = new JobStore(kill.world.repo.stateDir);
    try {
      const { root } = kill.world.repo;
      const { id } = await bridge.submit({ task: script('say: ok'), cwd: root }, PERSON, root);
      await kill.until('the start', () => starts().length === 1);
      const cancelled = bridge.cancel(id, PERSON);
      await kill.until('the order', () => (store.find(id)?.cancelBy ?? null) !== null);
      assert.equal(kill.job(id).status, 'starting');
      process.kill(starts()[0] ?? 0, 'SIGKILL');
      assert.equal((await cancelled).status, 'cancelled');
      assert.equal(starts().length, 1);
      await kill.assertOver(id);
    } finally {
      store.close();
      await bridge.dispose();
    }
  });
});

function hasAdmitter(kill: KillWorld): boolean {
  return allProcesses().some(({ argv, pid }) => argv[2] === 'admit' && kill.isOfThisWorld(pid));
}
