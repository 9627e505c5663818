import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { claudeArgs } from '../../src/bridge/runners/claudeCode/claudeArgs.ts';
import { claudeEnv } from '../../src/bridge/runners/claudeCode/claudeEnv.ts';
import type { ClaudeSession } from '../../src/bridge/runners/claudeCode/claudeSession.ts';
import { defaultsSchema } from '../../src/config/defaultsSchema.ts';
import { startRehearsal } from '../../src/rehearsal/startRehearsal.ts';
import { bridgeWorld, type BridgeWorld, PERSON, script } from '../support/bridgeWorld.ts';
import type { Figure } from './figure.ts';

/**
 * From the call of `Bridge.submit` to the first request of the session at the endpoint (the rehearsal server), beside the same
 * for a bare `claude -p` with the same flags and environment, from its spawn, straight to the endpoint. Ours holds probing,
 * routing, the store, the job host's start, the worktree, the gateway, and then the same `claude`. Both run in a small repository,
 * one after the other; the request is told by a mark in the brief. A first run of each is not counted.
 */
export async function submitToRequest(runs: number): Promise<Figure[]> {
  const marks = new Map<string, (atMs: number) => void>();
  const endpoint = await startRehearsal({
    onRequest: ({ path, body }) => {
      const atMs = performance.now();
      if (path !== '/v1/messages') return;
      const text = JSON.stringify(body);
      for (const [mark, seen] of marks) if (text.includes(mark)) seen(atMs);
    },
  });
  const world = await bridgeWorld({
    models: `endpoints:\n  rehearsal: { base_url: ${endpoint.url} }\n`,
  });
  const arrival = (mark: string): Promise<number> =>
    new Promise((resolve) => marks.set(mark, resolve));
  const ours: number[] = [];
  const bare: number[] = [];
  try {
    for (let run = -1; run < runs; run += 1) {
      const jobMark = `of-the-job-${run}-`;
      const jobArrives = arrival(jobMark);
      const submittedMs = performance.now();
      const job = await world.bridge.submit(
        { cwd: world.repo.root, task: `${jobMark}\n${script('say: Done.')}` },
        PERSON,
        world.repo.root,
      );
      const jobMs = (await jobArrives) - submittedMs;
      const { status } = await world.finished(job.id);
      if (status !== 'done') throw new Error(`the job ended as ${status}`);

      const bareMark = `of-the-bare-one-${run}-`;
      const bareMs = await bareClaude(world, endpoint.url, bareMark, arrival(bareMark));
      if (run < 0) continue;
      ours.push(jobMs);
      bare.push(bareMs);
    }
  } finally {
    await world.dispose();
    await endpoint.close();
  }
  return [
    {
      name: 'submit to first request',
      unit: 'ms',
      ours,
      beside: { what: 'claude -p with the same flags', values: bare },
    },
  ];
}

async function bareClaude(
  world: BridgeWorld,
  url: string,
  mark: string,
  arrives: Promise<number>,
): Promise<number> {
  const defaults = defaultsSchema.parse({});
  const folder = join(world.repo.scratch, 'bare');
  mkdirSync(join(folder, 'claude'), { recursive: true });
  const session: ClaudeSession = {
    model: 'rehearsal',
    gatewayUrl: url,
    contextWindow: 200_000,
    maxOutputTokens: null,
    isReadOnly: false,
    isLocalOnly: false,
    permissionMode: defaults.permission_mode,
    allowedTools: defaults.allowed_tools,
    disallowedTools: defaults.disallowed_tools,
    settingSources: defaults.setting_sources,
    maxTurns: defaults.max_turns,
    effort: null,
    systemPromptAppend: '',
    resumeSessionId: null,
    claudeConfigDir: join(folder, 'claude'),
    extraEnv: {},
    timeoutMs: defaults.timeout_s * 1000,
  };
  const settings = join(folder, 'settings.json');
  writeFileSync(settings, JSON.stringify({ env: claudeEnv(session) }));
  const task = `${mark}\n${script('say: Done.')}`;
  const message = {
    type: 'user',
    message: { role: 'user', content: [{ type: 'text', text: task }] },
  };
  const startedMs = performance.now();
  const child = spawn('claude', claudeArgs(session, settings), {
    cwd: world.repo.root,
    env: { ...world.env, ...claudeEnv(session) },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.stdin.end(`${JSON.stringify(message)}\n`);
  const arrivedMs = await arrives;
  await ended;
  return arrivedMs - startedMs;
}
