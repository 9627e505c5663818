import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { ServerCommandLine } from './serverCommandLine.ts';
import { parseServerLine, type ServerLine } from './serverLine.ts';

export type ServerEnd =
  | { readonly kind: 'not_started'; readonly error: NodeJS.ErrnoException }
  | { readonly kind: 'exited'; readonly code: number | null; readonly signal: string | null };

const STDIN_GRACE_MS = 2000;
const SIGTERM_GRACE_MS = 1000;
/** How long after the exit the last words on stderr are waited for; a grandchild may hold the pipe open for ever. */
const LAST_WORDS_MS = 300;

/** A server child: its pipes, how it ended, and a stop that is over within 3 seconds. */
export class ServerProcess {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves when the process is gone, or could not be started. */
  readonly ended: Promise<ServerEnd>;
  readonly #child: ChildProcessWithoutNullStreams;
  #lastWords = '';

  constructor(commandLine: ServerCommandLine, onErrorLine: (line: ServerLine) => void) {
    const { command, args, cwd, env } = commandLine;
    this.#child = spawn(command, args, { cwd, env, stdio: 'pipe', windowsHide: true });
    this.stdin = this.#child.stdin;
    this.stdout = this.#child.stdout;
    const closed = new Promise<void>((resolve) => this.#child.once('close', () => resolve()));
    this.ended = new Promise((resolve) => {
      this.#child.once('error', (error) => {
        if (this.#child.pid === undefined) resolve({ kind: 'not_started', error });
      });
      this.#child.once('exit', (code, signal) => {
        void Promise.race([closed, delay(LAST_WORDS_MS)]).then(() =>
          resolve({ kind: 'exited', code, signal }),
        );
      });
    });
    // Writing to a child that is gone: `ended` tells that better than an EPIPE would.
    this.#child.stdin.on('error', () => undefined);
    createInterface({ input: this.#child.stderr }).on('line', (text) => {
      const line = parseServerLine(text);
      if (line.text === '') return;
      this.#lastWords = line.text;
      onErrorLine(line);
    });
  }

  /** Undefined when the process could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** What it said last on stderr; empty when it said nothing. */
  get lastWords(): string {
    return this.#lastWords;
  }

  /**
   * Closes its stdin, which asks it to leave; then SIGTERM, then SIGKILL. Only this process: the job hosts that it has
   * started belong to their jobs and go on.
   */
  async stop(): Promise<void> {
    this.#child.stdin.end();
    if (await isOver(this.ended, STDIN_GRACE_MS)) return;
    this.#child.kill('SIGTERM');
    if (await isOver(this.ended, SIGTERM_GRACE_MS)) return;
    this.#child.kill('SIGKILL');
    await this.ended;
  }
}

function delay(timeMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, timeMs));
}

async function isOver(event: Promise<unknown>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, limitMs, false);
  });
  const isInTime = await Promise.race([event.then(() => true), late]);
  clearTimeout(timer);
  return isInTime;
}
