import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { AwakeTimer } from '../../../../base/awakeTimer.ts';
import { spawnJobChild, type ChildExit, type JobChild } from '../../../processes/spawnJobChild.ts';
import { commandEnv } from './commandEnv.ts';
import { HeadTail } from './headTail.ts';
import type { ToolContext } from './loopTool.ts';

const END_GRACE_MS = 2_000;
/** A child in the background may hold the pipes for ever; what the command itself wrote is there long before. */
const DRAIN_LIMIT_MS = 300;

export interface CommandRun {
  /** Negative: ended by that signal; null: stopped by its time limit, or never started. */
  readonly exit: number | null;
  readonly isTimedOut: boolean;
  readonly startError: string | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Something that the command left running still holds its output. */
  readonly isHeld: boolean;
}

/** Runs one command line to the exit of its shell. Rejects with the reason of `signal` when that is aborted, the command ended. */
export async function runCommand(
  context: ToolContext,
  command: string,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<CommandRun> {
  const stdout = new HeadTail(context.settings.stdout_cap);
  const stderr = new HeadTail(context.settings.stderr_cap);
  const child = start(context, command);
  child.process.stdout?.on('data', (chunk: Buffer) => stdout.add(chunk));
  child.process.stderr?.on('data', (chunk: Buffer) => stderr.add(chunk));
  let isClosed = false;
  child.process.once('close', () => (isClosed = true));
  let isTimedOut = false;
  const timer = new AwakeTimer(timeoutMs, () => {
    isTimedOut = true;
    void endGroup(child);
  });
  const onAbort = (): void => void endGroup(child);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const exit = await child.exited;
  timer.dispose();
  signal.removeEventListener('abort', onAbort);
  await child.drained(DRAIN_LIMIT_MS);
  if (!isClosed) letGo(child);
  signal.throwIfAborted();
  return {
    exit: isTimedOut ? null : exitOf(exit),
    isTimedOut,
    startError: exit.error?.message ?? null,
    stdout: stdout.end(),
    stderr: stderr.end(),
    isHeld: !isClosed && exit.error === null,
  };
}

function start(context: ToolContext, command: string): JobChild {
  const shell = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh';
  const args = ['-c', command];
  const { root, jail, tmpDir } = context;
  const jailed = jail?.wrap(shell, args, {
    cwd: root,
    writable: [root, ...context.writable],
    tmpDir,
  });
  return spawnJobChild({
    jobId: context.jobId,
    guard: context.guard,
    command: jailed?.command ?? shell,
    args: jailed?.args ?? args,
    cwd: root,
    env: commandEnv(context.env, context.settings.env_passthrough),
    stdin: 'ignore',
  });
}

/** Only what this command runs: a server that an earlier one left running is the job's until its end. */
async function endGroup(child: JobChild): Promise<void> {
  signalGroup(child, 'SIGTERM');
  const timer = new AwakeTimer(END_GRACE_MS, () => signalGroup(child, 'SIGKILL'));
  await child.exited;
  timer.dispose();
  signalGroup(child, 'SIGKILL');
}

function signalGroup(child: JobChild, name: NodeJS.Signals): void {
  if (child.process.pid === undefined) return;
  try {
    process.kill(-child.process.pid, name);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    // EPERM: macOS says so of a group that has only zombies left.
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

/** What runs on may go on writing: were its pipe closed, it would end of that. */
function letGo(child: JobChild): void {
  for (const stream of [child.process.stdout, child.process.stderr]) {
    stream?.removeAllListeners('data');
    stream?.resume();
    if (stream !== null && 'unref' in stream) (stream as { unref(): void }).unref();
  }
}

function exitOf({ code, signal }: ChildExit): number | null {
  return signal === null ? code : -constants.signals[signal];
}
