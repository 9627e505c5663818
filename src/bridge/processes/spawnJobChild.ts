import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { endJobProcesses, JOB_MARKER } from './jobProcesses.ts';
import type { HostGuard } from './hostGuard.ts';

export interface JobChildOptions {
  readonly jobId: string;
  readonly guard: HostGuard;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: 'pipe' | 'ignore';
}

export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly error: Error | null;
}

export interface JobChild {
  readonly process: ChildProcess;
  /** Settles when the program has ended; `error` when it could not be started at all. */
  readonly exited: Promise<ChildExit>;
  /** Settles when its output has been read to the end, or `limitMs` after the exit: a grandchild may hold the pipe. */
  drained(limitMs: number): Promise<void>;
  /** Ends every process of the job, not only this child. */
  end(graceMs: number): Promise<void>;
}

/** Starts a program in a process group of its own, marked as the job's and known to the guard. */
export function spawnJobChild(options: JobChildOptions): JobChild {
  const child = spawn(options.command, options.args, {
    cwd: options.cwd,
    env: { ...options.env, [JOB_MARKER]: options.jobId },
    stdio: [options.stdin, 'pipe', 'pipe'],
    detached: true,
    windowsHide: true,
  });
  const group = child.pid;
  if (group !== undefined) options.guard.watch(group);
  const exited = new Promise<ChildExit>((resolve) => {
    child.once('error', (error) => resolve({ code: null, signal: null, error }));
    child.once('exit', (code, signal) => {
      if (group !== undefined) options.guard.forget(group);
      resolve({ code, signal, error: null });
    });
  });
  const closed = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  });
  // A child that closes its stdin early must not take the host down.
  child.stdin?.on('error', () => undefined);
  return {
    process: child,
    exited,
    drained: async (limitMs) => {
      await exited;
      await Promise.race([closed, delay(limitMs, undefined, { ref: false })]);
    },
    end: (graceMs) => endJobProcesses(options.jobId, graceMs),
  };
}
