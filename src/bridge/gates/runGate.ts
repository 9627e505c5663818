import { createWriteStream, type WriteStream } from 'node:fs';
import { once } from 'node:events';
import { AwakeTimer } from '../../base/awakeTimer.ts';
import { sanitiseText } from '../../base/sanitise.ts';
import { cleanEnv } from '../processes/cleanEnv.ts';
import type { HostGuard } from '../processes/hostGuard.ts';
import { spawnJobChild } from '../processes/spawnJobChild.ts';

const TAIL_LENGTH = 4_000;
const MAX_LOG_BYTES = 16 * 1024 * 1024;
const END_GRACE_MS = 2_000;
const DRAIN_LIMIT_MS = 1_000;

export interface GateRun {
  readonly jobId: string;
  readonly guard: HostGuard;
  /** The command line of the gate, from a trusted configuration; run by `sh`. */
  readonly command: string;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  /** Null: its output is kept nowhere but in `tail`. */
  readonly logFile: string | null;
  /** Hears what it prints as it comes. */
  readonly onOutput?: (chunk: Buffer) => void;
  readonly signal: AbortSignal;
}

export interface GateRunResult {
  /** Null: killed, or never started. */
  readonly exit: number | null;
  readonly isTimedOut: boolean;
  readonly durationS: number;
  readonly tail: string;
}

/** Runs the check that decides, after the runner has ended. Its exit status is its only word. */
export async function runGate(run: GateRun): Promise<GateRunResult> {
  run.signal.throwIfAborted();
  const started = performance.now();
  const child = spawnJobChild({
    jobId: run.jobId,
    guard: run.guard,
    command: '/bin/sh',
    args: ['-c', run.command],
    cwd: run.cwd,
    env: cleanEnv(run.env),
    stdin: 'ignore',
  });
  const output = new GateOutput(run.logFile);
  const onData = (chunk: Buffer): void => {
    output.add(chunk);
    run.onOutput?.(chunk);
  };
  child.process.stdout?.on('data', onData);
  child.process.stderr?.on('data', onData);

  let isTimedOut = false;
  const timer = new AwakeTimer(run.timeoutMs, () => {
    isTimedOut = true;
    void child.end(END_GRACE_MS);
  });
  const onAbort = (): void => void child.end(END_GRACE_MS);
  run.signal.addEventListener('abort', onAbort, { once: true });
  const exit = await child.exited;
  timer.dispose();
  run.signal.removeEventListener('abort', onAbort);
  // A check that left a server behind must not keep the place, nor the pipe.
  await child.end(END_GRACE_MS);
  await child.drained(DRAIN_LIMIT_MS);
  if (exit.error) output.add(Buffer.from(`${exit.error.message}\n`));
  await output.close();
  return {
    exit: isTimedOut ? null : exit.code,
    isTimedOut,
    durationS: Math.round(performance.now() - started) / 1000,
    tail: output.tail(),
  };
}

class GateOutput {
  readonly #file: WriteStream | null;
  #tail = '';
  #bytes = 0;

  constructor(file: string | null) {
    this.#file = file === null ? null : createWriteStream(file, { flags: 'a', mode: 0o600 });
    // The log is a convenience: a full disk must not change the verdict of the gate.
    this.#file?.on('error', () => undefined);
  }

  add(chunk: Buffer): void {
    this.#tail = (this.#tail + chunk.toString('utf8')).slice(-2 * TAIL_LENGTH);
    const room = MAX_LOG_BYTES - this.#bytes;
    if (room <= 0 || this.#file === null) return;
    this.#bytes += chunk.length;
    this.#file.write(chunk.length > room ? chunk.subarray(0, room) : chunk);
  }

  tail(): string {
    return sanitiseText(this.#tail).slice(-TAIL_LENGTH);
  }

  async close(): Promise<void> {
    if (this.#file === null || this.#file.destroyed) return;
    this.#file.end();
    await Promise.race([once(this.#file, 'close'), once(this.#file, 'error')]);
  }
}
