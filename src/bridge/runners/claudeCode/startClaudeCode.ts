import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AsyncQueue } from '../../../base/asyncQueue.ts';
import { LineSplitter } from '../../../base/lineSplitter.ts';
import { cleanEnv } from '../../processes/cleanEnv.ts';
import type { HostGuard } from '../../processes/hostGuard.ts';
import { spawnJobChild, type ChildExit, type JobChild } from '../../processes/spawnJobChild.ts';
import type { RunnerEvent, RunnerSession } from '../runner.ts';
import { claudeArgs } from './claudeArgs.ts';
import { claudeEnd } from './claudeEnd.ts';
import { claudeEnv } from './claudeEnv.ts';
import type { ClaudeSession } from './claudeSession.ts';
import { ClaudeMessageReader, type ClaudeResult } from './readClaudeMessage.ts';

const MAX_LINE_LENGTH = 64 * 1024 * 1024;
const STDERR_LINES_KEPT = 5;
const STOP_GRACE_MS = 2_000;
/** After its result the program has this long to end by itself. */
const EXIT_GRACE_MS = 10_000;
const DRAIN_LIMIT_MS = 2_000;

export interface ClaudeStart {
  readonly jobId: string;
  readonly jobDir: string;
  readonly guard: HostGuard;
  readonly program: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly session: ClaudeSession;
  readonly task: string;
}

/** One headless session of the user's own `claude`, driven over its documented JSON stream. */
export function startClaudeCode(start: ClaudeStart): RunnerSession {
  const settingsFile = join(start.jobDir, 'claude-settings.json');
  const environment = claudeEnv(start.session);
  mkdirSync(start.session.claudeConfigDir, { recursive: true, mode: 0o700 });
  // What the endpoint's entry adds may hold a secret, and need not win over the project: it stays out of the file.
  const pinned = claudeEnv({ ...start.session, extraEnv: {} });
  writeFileSync(settingsFile, JSON.stringify({ env: pinned }), { mode: 0o600 });

  const child = spawnJobChild({
    jobId: start.jobId,
    guard: start.guard,
    command: start.program,
    args: claudeArgs(start.session, settingsFile),
    cwd: start.cwd,
    env: { ...cleanEnv(start.env), ...environment },
    stdin: 'pipe',
  });

  const events = new AsyncQueue<RunnerEvent>();
  const reader = new ClaudeMessageReader();
  const lastStderr: string[] = [];
  let result: ClaudeResult | null = null;
  let isStopped = false;

  const onMessage = (message: unknown): void => {
    events.push({ type: 'raw', value: message });
    for (const event of reader.read(message)) events.push(event);
    const ended = reader.readResult(message);
    if (!ended) return;
    result = ended;
    child.process.stdin?.end();
  };
  const stdout = new LineSplitter({
    maxLength: MAX_LINE_LENGTH,
    onLine: (line) => {
      const message = parseLine(line);
      if (message === undefined) events.push({ type: 'stderr', line });
      else onMessage(message);
    },
    onTooLong: (length) =>
      events.push({ type: 'mark', text: `a message of ${length} characters was left out` }),
  });
  const stderr = new LineSplitter({
    maxLength: 64 * 1024,
    onLine: (line) => {
      if (line.trim() === '') return;
      events.push({ type: 'stderr', line });
      lastStderr.push(line);
      if (lastStderr.length > STDERR_LINES_KEPT) lastStderr.shift();
    },
  });
  child.process.stdout?.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.process.stderr?.on('data', (chunk: Buffer) => stderr.push(chunk));
  child.process.stdin?.write(`${JSON.stringify(userMessage(start.task))}\n`);

  const finish = async (): Promise<void> => {
    const exit = await waitForEnd(child, () => result !== null);
    await child.end(STOP_GRACE_MS);
    await child.drained(DRAIN_LIMIT_MS);
    stdout.end();
    stderr.end();
    events.push({
      type: 'end',
      end: claudeEnd({
        result,
        modelServed: null,
        exitCode: exit.code,
        signal: exit.signal,
        startError: exit.error,
        lastStderr,
      }),
    });
    events.close();
  };
  const finished = finish();

  return {
    events,
    stop: async () => {
      if (!isStopped) {
        isStopped = true;
        await child.end(STOP_GRACE_MS);
      }
      await finished;
    },
  };
}

/** The end of the program and of its output; a program that lingers after its result is ended. */
async function waitForEnd(child: JobChild, hasResult: () => boolean): Promise<ChildExit> {
  const exited = await Promise.race([child.exited, lingered(hasResult, child.exited)]);
  if (exited === null) {
    await child.end(STOP_GRACE_MS);
    return child.exited;
  }
  return exited;
}

async function lingered(hasResult: () => boolean, exited: Promise<unknown>): Promise<null> {
  let isOver = false;
  void exited.then(() => {
    isOver = true;
  });
  for (let waitedMs = 0; waitedMs < EXIT_GRACE_MS && !isOver;) {
    await delay(200, undefined, { ref: false });
    if (hasResult()) waitedMs += 200;
  }
  return null;
}

function parseLine(line: string): unknown {
  if (line.trim() === '') return undefined;
  try {
    return JSON.parse(line) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function userMessage(task: string): unknown {
  return { type: 'user', message: { role: 'user', content: [{ type: 'text', text: task }] } };
}
