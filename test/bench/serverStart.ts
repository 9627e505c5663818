import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DIST } from '../support/bridgeWorld.ts';
import type { Figure } from './figure.ts';

const HANDSHAKE = [
  {
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'bench', version: '1' },
    },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
]
  .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  .join('');

/**
 * From spawn to the whole answer to `tools/list` of dist/server.cjs, beside the whole life of `node -e 0`: what Node itself
 * takes. Both on this Node, one after the other; a first start of each is not counted. The state dir is there and is the same for
 * all runs, as it is for a user, so that compiled code is kept in it; the server leaves in good order after each.
 */
export async function serverStart(runs: number): Promise<Figure[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'delegate-bench-'));
  const env = {
    PATH: process.env['PATH'],
    HOME: scratch,
    XDG_CONFIG_HOME: join(scratch, 'config'),
    DELEGATE_STATE: join(scratch, 'state'),
  };
  mkdirSync(env.DELEGATE_STATE, { mode: 0o700 });
  const server: number[] = [];
  const bare: number[] = [];
  try {
    for (let run = -1; run < runs; run += 1) {
      const [serverMs, bareMs] = [await toToolsList(env), await nodeAlone(env)];
      if (run < 0) continue;
      server.push(serverMs);
      bare.push(bareMs);
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return [
    {
      name: 'spawn to tools/list',
      unit: 'ms',
      ours: server,
      beside: { what: 'node -e 0', values: bare },
    },
  ];
}

async function toToolsList(env: NodeJS.ProcessEnv): Promise<number> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [join(DIST, 'server.cjs')], {
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  child.stdin.write(HANDSHAKE);
  let answers = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    answers += String(chunk);
    if (/"id":2\b.*\n/.test(answers)) break;
  }
  const tookMs = performance.now() - startedMs;
  if (!answers.includes('run_agent')) throw new Error('the server did not list its tools');
  child.stdin.end();
  await ended;
  return tookMs;
}

async function nodeAlone(env: NodeJS.ProcessEnv): Promise<number> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, ['-e', '0'], { env, stdio: 'ignore' });
  await once(child, 'exit');
  return performance.now() - startedMs;
}
