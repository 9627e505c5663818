import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endRecord } from '../../src/bridge/jobs/endRecord.ts';
import { JobStore } from '../../src/bridge/jobs/jobStore.ts';
import { newRecord } from '../../src/bridge/jobs/newRecord.ts';
import { DIST } from '../support/bridgeWorld.ts';
import { McpTestClient } from '../support/mcpClient.ts';
import type { Figure } from './figure.ts';

const JOBS = 1_000;

/**
 * Resident memory of dist/server.cjs after a client has greeted, listed the tools, the resources and the jobs and asked for the
 * models, with 1 000 finished jobs in the store (a brief of 2 kB, a result of 4 kB, 10 changed files each), beside the same
 * server with an empty store. Read with `ps` once the last answer has come; in turn, a fresh process each time.
 */
export async function serverMemory(runs: number): Promise<Figure[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'delegate-bench-'));
  const [full, empty] = [join(scratch, 'full'), join(scratch, 'empty')];
  const ours: number[] = [];
  const bare: number[] = [];
  try {
    fill(full);
    for (let run = 0; run < runs; run += 1) {
      ours.push(await residentMb(scratch, full));
      bare.push(await residentMb(scratch, empty));
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return [
    {
      name: 'server memory, 1 000 finished jobs',
      unit: 'MB',
      ours,
      beside: { what: 'empty store', values: bare },
    },
  ];
}

function fill(stateDir: string): void {
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  const store = new JobStore(stateDir);
  store.transaction(() => {
    for (let n = 0; n < JOBS; n += 1) insert(store, n);
  });
  store.close();
}

function insert(store: JobStore, n: number): void {
  const record = newRecord({
    id: `claude-code-20260101-000000-${String(n).padStart(10, 'a')}`,
    task: `Job ${n}. ${'Words of a brief. '.repeat(110)}`,
    runner: 'claude-code',
    client: { name: 'claude-code', session: null, pid: 1 },
    policy: 'prefer-local',
    cwd: '/project',
    isolation: 'worktree',
    createdAt: '2026-01-01T00:00:00.000Z',
  });
  const filesChanged = Array.from({ length: 10 }, (_, file) => ({
    path: `src/folder/file${file}.ts`,
    oldPath: null,
    change: 'modified' as const,
    additions: 3,
    deletions: 1,
    binary: false,
    oldMode: '100644',
    newMode: '100644',
  }));
  const ended = endRecord(
    { ...record, startedAt: record.createdAt, filesChanged, result: 'A sentence. '.repeat(340) },
    'done',
    null,
    new Date('2026-01-01T00:10:00.000Z'),
  );
  store.insert(ended, {
    request: { task: record.task },
    servedModel: 'm',
    pool: 'm',
    poolSlots: 1,
    endpointLimit: null,
    exclusiveGroup: null,
    alternatives: [],
    failoverSinceMs: null,
    repoRoot: null,
    timeoutS: 1800,
    idleTimeoutS: 600,
    configFile: null,
    resume: null,
  });
}

async function residentMb(home: string, stateDir: string): Promise<number> {
  const child = spawn(process.execPath, [join(DIST, 'server.cjs')], {
    cwd: home,
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      XDG_CONFIG_HOME: join(home, 'config'),
      DELEGATE_STATE: stateDir,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const client = await McpTestClient.connect(child);
  await client.client.listTools();
  await client.client.listResources();
  const { isError, text } = await client.call('list_jobs', {});
  if (isError) throw new Error(text);
  await client.call('list_models', {});
  const kilobytes = Number(
    execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' }),
  );
  await client.leave();
  return kilobytes / 1024;
}
