import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Context } from 'mocha';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Bridge } from '../../../src/bridge/bridge.ts';
import { JobStore } from '../../../src/bridge/jobs/jobStore.ts';
import { isFinal } from '../../../src/bridge/jobs/status.ts';
import { PERSON, script } from '../../support/bridgeWorld.ts';
import { hostOf, processesOf } from '../../support/killProcesses.ts';
import { KillWorld } from '../../support/killWorld.ts';
import { skipBecause } from '../../support/skipBecause.ts';
import { describeWithClaude } from '../../support/withClaude.ts';

const SOURCE = resolve(import.meta.dirname, '../../../src/bridge/jobs');

/** Writes jobs and their receipts for ever; `stay`: stays in the middle of a transaction that has overflowed into the log. */
const WRITER = `
import { JobStore } from ${JSON.stringify(`${SOURCE}/jobStore.ts`)};
import { newRecord } from ${JSON.stringify(`${SOURCE}/newRecord.ts`)};
const [dir, name, how] = process.argv.slice(1);
const store = new JobStore(dir);
const spec = { request: { task: 'x' }, servedModel: 'm', pool: 'default', poolSlots: 1, endpointLimit: null, exclusiveGroup: null, repoRoot: null, timeoutS: 1, idleTimeoutS: 1, configFile: null, resume: null };
const add = (id) => {
  store.insert(newRecord({ id, task: 'x'.repeat(20000), runner: 'claude-code', client: { name: 'test', session: null, pid: null }, policy: 'any', cwd: '/', isolation: 'worktree', createdAt: new Date().toISOString() }), spec);
};
const end = (id) => {
  for (const status of ['starting', 'running', 'done']) store.update(id, (record) => ({ ...record, status }));
};
if (how === 'stay') {
  store.transaction(() => {
    for (let n = 0; n < 500; n += 1) add(name + '-' + n);
    process.stdout.write('in\\n');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
}
for (let n = 0; ; n += 1) {
  const id = name + '-' + n;
  store.transaction(() => { add(id); end(id); });
  process.stdout.write(id + '\\n');
}
`;

describe('the store when a writer is killed with -9', function () {
  this.timeout(120_000);
  let dir: string;
  let children: ChildProcess[];
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'delegate-store-kill-'));
    children = [];
  });
  afterEach(() => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  });

  const writer = (name: string, how: 'stay' | 'go') => {
    const child = spawn(
      process.execPath,
      ['--no-warnings', '--input-type=module-typescript', '-e', WRITER, dir, name, how],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    children.push(child);
    return child;
  };

  it('in the middle of a transaction: it opens at once, and nothing of it is there', async () => {
    const before = new JobStore(dir);
    before.setFact('known', 'yes', new Date());
    before.close();
    const child = writer('half', 'stay');
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const startedMs = performance.now();
    const store = new JobStore(dir);
    try {
      assert.deepEqual(store.list(), []);
      assert.equal(store.fact('known')?.value, 'yes');
      store.setFact('after', 'yes', new Date());
      assert.ok(performance.now() - startedMs < 5_000, 'no lock is left');
    } finally {
      store.close();
    }
  });

  it('at any moment, several at once: what was said to be written is there, each with its receipt', async () => {
    const said: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      const pair = [writer(`a${round}`, 'go'), writer(`b${round}`, 'go')];
      const texts = ['', ''];
      for (const [at, child] of pair.entries()) {
        child.stdout.on('data', (chunk: Buffer) => {
          texts[at] += chunk.toString();
          if ((texts[at] ?? '').split('\n').length > 5 + round * 7) child.kill('SIGKILL');
        });
      }
      await Promise.all(pair.map((child) => once(child, 'close')));
      said.push(...texts.flatMap((text) => text.split('\n').slice(0, -1)));
    }
    const store = new JobStore(dir);
    try {
      const jobs = store.list();
      assert.ok(said.length > 40 && said.every((id) => store.find(id) !== null));
      for (const { record } of jobs) {
        assert.ok(isFinal(record.status));
        assert.deepEqual(store.receipt(record.id), record);
      }
    } finally {
      store.close();
    }
    const database = new DatabaseSync(join(dir, 'bridge.sqlite'));
    assert.equal(database.prepare('PRAGMA integrity_check').get()?.['integrity_check'], 'ok');
    database.close();
  });
});

describeWithClaude('a state dir on a disk that becomes full', function () {
  this.timeout(180_000);
  let kill: KillWorld | null = null;
  let mounted: string | null = null;
  afterEach(async () => {
    if (mounted !== null) spawnSync('umount', ['--lazy', mounted]);
    mounted = null;
    await kill?.dispose();
    kill = null;
  });

  /** A bridge whose state dir has 24 MB; the world's own goes on without it. */
  const openSmall = async (context: Context): Promise<{ world: KillWorld; bridge: Bridge }> => {
    const world = (kill = await KillWorld.open());
    const { stateDir } = world.world.repo;
    const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', stateDir]);
    if (mount.status !== 0) skipBecause(context, 'only root can mount a small file system');
    mounted = stateDir;
    return { world, bridge: world.world.openBridge() };
  };

  it('a host that died meanwhile: the jobs are still shown, and it is marked when there is room', async function () {
    const { world, bridge } = await openSmall(this);
    const { repo } = world.world;
    try {
      const task = script('write a.txt: A', 'hang 120s', 'say: late');
      const { id } = await bridge.submit({ task, cwd: repo.root }, PERSON, repo.root);
      const root = (): string => bridge.job(id).worktree?.root ?? '';
      await world.until('the file', () => existsSync(join(root(), 'a.txt')));
      const ballast = join(repo.stateDir, 'ballast');
      assert.throws(() => writeFileSync(ballast, Buffer.alloc(64 * 1024 * 1024)), {
        code: 'ENOSPC',
      });
      process.kill(hostOf(id).pid, 'SIGKILL');
      await world.until('the end of all', () => processesOf(id).length === 0);
      assert.equal(bridge.list()[0]?.status, 'running');
      bridge.admit();
      rmSync(ballast);
      assert.equal(bridge.list()[0]?.status, 'lost');
      world.assertReceipts();
      const { files } = await bridge.diff(id);
      assert.equal(files[0]?.path, 'a.txt');
    } finally {
      await bridge.dispose();
    }
  });

  it('the job fails for it with its receipt, its work is kept, and all goes on when there is room', async function () {
    const { world, bridge } = await openSmall(this);
    const { repo } = world.world;
    try {
      const submit = async (...lines: string[]): Promise<string> =>
        (
          await bridge.submit(
            { task: script(...lines), cwd: repo.root, timeoutS: 90 },
            PERSON,
            repo.root,
          )
        ).id;
      const id = await submit(
        'write a.txt: A',
        'run: dd if=/dev/zero of=big bs=4k count=100000; seq 1500',
        'run: seq 3000',
        'run: seq 4000',
        'hang 60s',
        'say: ok',
      );
      const { finished } = await bridge.wait([id], { mode: 'all', timeoutMs: 90_000 });
      const [job] = finished;
      assert.equal(job?.status, 'failed', world.world.hostLog(id));
      assert.equal(job.failure?.kind, 'storage_full', JSON.stringify(job.failure));
      assert.equal(job.review.status, 'pending');
      assert.equal(job.worktree?.kept, true);
      world.assertReceipts();

      const big = join(job.worktree.root, 'big');
      assert.ok(existsSync(big));
      rmSync(big);
      const { files } = await bridge.diff(id);
      assert.deepEqual(
        files.map((file) => file.path),
        ['a.txt'],
      );
      const next = await submit('write b.txt: B', 'say: ok');
      const { finished: after } = await bridge.wait([next], { mode: 'all', timeoutMs: 90_000 });
      assert.equal(after[0]?.status, 'done', JSON.stringify(after[0]?.failure));
      world.assertReceipts();
      const { result } = await bridge.reviews.accept(id, PERSON, { isGateFailureAccepted: true });
      assert.equal(result.status, 'applied');
    } finally {
      await bridge.dispose();
    }
  });
});
