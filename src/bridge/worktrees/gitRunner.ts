import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { BridgeError } from '../../base/bridgeError.ts';
import { filterOverrides, settingsEnvironment } from './filterOverrides.ts';
import { gitEnvironment, gitOverrides } from './gitEnv.ts';
import { gitFailure } from './gitFailure.ts';

const DEFAULT_TIMEOUT_MS = 120_000;
const DEFAULT_MAX_BYTES = 256 * 1024 * 1024;
const MAX_STDERR_BYTES = 64 * 1024;
/** Between SIGTERM, on which git removes its lock files, and SIGKILL. */
const KILL_AFTER_MS = 2_000;

export interface GitRunOptions {
  readonly cwd: string;
  /** Written to stdin; without it stdin is closed. */
  readonly input?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** Exit statuses that are results; default only 0. */
  readonly okCodes?: readonly number[];
  /** More output than this fails, or ends the program early with `onLimit: 'cut'`. */
  readonly maxBytes?: number;
  readonly onLimit?: 'fail' | 'cut';
  /** Takes no optional lock, so that a reader never disturbs the user's own git. */
  readonly readOnly?: boolean;
  /** Looks for the repository in the folders above `cwd` too; otherwise `cwd` has to be its top. */
  readonly discover?: boolean;
}

export interface GitResult {
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly code: number;
  /** Output was cut at `maxBytes`. */
  readonly truncated: boolean;
}

/** The part of the runner that others need; a worktree's own guard has it too. */
export interface Git {
  run(args: readonly string[], options: GitRunOptions): Promise<GitResult>;
  text(args: readonly string[], options: GitRunOptions): Promise<string>;
}

/**
 * The one place that starts git: argument arrays, no shell, a clean environment, a time limit that ends the whole process
 * group, and an upper limit of the search for a repository. Throws `git_failed` (with git's last lines), `cancelled`.
 */
export class GitRunner implements Git {
  /** git-lfs is not installed: LFS files are pointers in every tree. */
  readonly lfsMissing: boolean;
  readonly #env: Record<string, string>;
  readonly #overrides: readonly string[];
  readonly #runsFilters: boolean;

  constructor(options: {
    env: Readonly<Record<string, string | undefined>>;
    lfsMissing?: boolean;
    /** False where the repository is not trusted: then no filter that its config names is run. */
    runsFilters?: boolean;
  }) {
    this.#env = gitEnvironment(options.env);
    this.lfsMissing = options.lfsMissing ?? false;
    this.#overrides = gitOverrides({ lfsMissing: this.lfsMissing });
    this.#runsFilters = options.runsFilters ?? true;
  }

  /** Standard output as text without its final line end; only for output that is not a list of paths. */
  async text(args: readonly string[], options: GitRunOptions): Promise<string> {
    const { stdout } = await this.run(args, options);
    return stdout.toString('utf8').replace(/\r?\n$/, '');
  }

  async run(args: readonly string[], options: GitRunOptions): Promise<GitResult> {
    if (this.#runsFilters) return this.#run(args, options);
    // Asked before every call: whoever could change the config in between could run programs anyway.
    const names = await this.#run(
      ['config', '--null', '--name-only', '--get-regexp', '^filter\\.'],
      { cwd: options.cwd, readOnly: true, okCodes: [0, 1, 128], ...found(options) },
    );
    const env = settingsEnvironment(filterOverrides(names.stdout.toString('utf8')));
    return this.#run(args, { ...options, env: { ...env, ...options.env } });
  }

  async #run(args: readonly string[], options: GitRunOptions): Promise<GitResult> {
    throwIfCancelled(options.signal);
    const child = this.#spawn(args, options);
    const maxBytes = options.maxBytes ?? DEFAULT_MAX_BYTES;
    const output = collect(child, maxBytes);
    const end = endOf(child);
    const stops: { reason: 'timeout' | 'cancelled' | 'limit' | null } = { reason: null };
    const stop = (reason: 'timeout' | 'cancelled' | 'limit') => {
      if (stops.reason !== null) return;
      stops.reason = reason;
      endGroup(child, end);
    };
    const onAbort = () => stop('cancelled');
    const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const timer = setTimeout(() => stop('timeout'), timeoutMs);
    options.signal?.addEventListener('abort', onAbort, { once: true });
    output.onLimit = () => stop('limit');
    child.stdin?.end(options.input);
    try {
      const code = await end;
      return this.#result(args, options, {
        code,
        output,
        reason: stops.reason,
        timeoutMs,
        maxBytes,
      });
    } catch (error) {
      throw startFailure(error, options.cwd);
    } finally {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', onAbort);
    }
  }

  #spawn(args: readonly string[], options: GitRunOptions): ChildProcess {
    const child = spawn('git', [...this.#overrides, ...args], {
      cwd: options.cwd,
      env: {
        ...this.#env,
        ...(options.readOnly === true ? { GIT_OPTIONAL_LOCKS: '0' } : {}),
        ...(options.discover === true ? {} : { GIT_CEILING_DIRECTORIES: dirname(options.cwd) }),
        ...options.env,
      },
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      // A group of its own, so that filters and sub-commands end with git when it has to be ended.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    // Git may end before it has read its input: its exit status says what happened, not the broken pipe.
    child.stdin?.on('error', () => undefined);
    return child;
  }

  #result(
    args: readonly string[],
    options: GitRunOptions,
    ended: {
      code: number | null;
      output: Output;
      reason: 'timeout' | 'cancelled' | 'limit' | null;
      timeoutMs: number;
      maxBytes: number;
    },
  ): GitResult {
    const stderr = ended.output.stderr();
    if (ended.reason === 'cancelled') throwIfCancelled(options.signal);
    if (ended.reason === 'timeout') {
      const failure = gitFailure(args, null, stderr);
      throw new BridgeError(
        'git_failed',
        `git ${args[0] ?? ''} did not finish within ${Math.round(ended.timeoutMs / 1000)} s and was ended.`,
        { details: failure.details },
      );
    }
    const stdout = ended.output.stdout();
    if (ended.reason === 'limit') {
      if (options.onLimit === 'cut') return { stdout, stderr, code: 0, truncated: true };
      throw new BridgeError(
        'git_failed',
        `git ${args[0] ?? ''} gave more than ${ended.maxBytes} bytes of output.`,
        { details: { args } },
      );
    }
    if (ended.code === null || !(options.okCodes ?? [0]).includes(ended.code)) {
      throw gitFailure(args, ended.code, stderr);
    }
    return { stdout, stderr, code: ended.code, truncated: false };
  }
}

function found({ discover, signal }: GitRunOptions): Pick<GitRunOptions, 'discover' | 'signal'> {
  return { signal, ...(discover === undefined ? {} : { discover }) };
}

interface Output {
  stdout(): Buffer;
  stderr(): string;
  onLimit: () => void;
}

function collect(child: ChildProcess, maxBytes: number): Output {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  let stderr = Buffer.alloc(0);
  const output: Output = {
    stdout: () => Buffer.concat(chunks),
    stderr: () => stderr.toString('utf8'),
    onLimit: () => undefined,
  };
  child.stdout?.on('data', (chunk: Buffer) => {
    const room = maxBytes - sizeBytes;
    if (chunk.length > room) {
      if (room > 0) chunks.push(chunk.subarray(0, room));
      sizeBytes = maxBytes;
      output.onLimit();
      return;
    }
    chunks.push(chunk);
    sizeBytes += chunk.length;
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = Buffer.concat([stderr, chunk]).subarray(-MAX_STDERR_BYTES);
  });
  return output;
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code));
  });
}

function endGroup(child: ChildProcess, end: Promise<unknown>): void {
  signalGroup(child, 'SIGTERM');
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), KILL_AFTER_MS);
  const clear = () => clearTimeout(timer);
  end.then(clear, clear);
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    // Gone already is what was wanted.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  if (signal.reason instanceof BridgeError) throw signal.reason;
  throw new BridgeError('cancelled', 'The git operation was cancelled.', { cause: signal.reason });
}

function startFailure(error: unknown, cwd: string): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return error;
  if (!existsSync(cwd)) {
    return new BridgeError('git_failed', `The folder ${cwd} does not exist.`, { cause: error });
  }
  return new BridgeError('git_failed', 'Git was not found on the PATH.', {
    hint: 'Install git 2.31 or newer and make sure that it is on the PATH.',
    cause: error,
  });
}
