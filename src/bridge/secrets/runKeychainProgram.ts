import { spawn } from 'node:child_process';
import { BridgeError } from '../../base/bridgeError.ts';

export interface KeychainRun {
  /** Absolute path. */
  readonly program: string;
  readonly args: readonly string[];
  /** What it reads; nothing else may hold a value. */
  readonly input?: string;
  readonly env: Readonly<Record<string, string>>;
  /** For a person who has to unlock the keychain, too. */
  readonly timeoutMs: number;
}

export interface KeychainAnswer {
  /** Null: killed by a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const MAX_BYTES = 1024 * 1024;

/** Runs a program of the system's keychain to its end, with a limit on time and size. Its output holds secrets: it is in no error. */
export function runKeychainProgram(run: KeychainRun): Promise<KeychainAnswer> {
  return new Promise((resolve, reject) => {
    const child = spawn(run.program, run.args, {
      env: run.env,
      cwd: '/',
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const out: Buffer[] = [];
    const said: Buffer[] = [];
    let size = 0;
    const keep = (list: Buffer[]) => (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BYTES) child.kill('SIGKILL');
      else list.push(chunk);
    };
    child.stdout.on('data', keep(out));
    child.stderr.on('data', keep(said));
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, run.timeoutMs);
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      if (isLate) reject(lateError(run));
      else
        resolve({
          code,
          stdout: Buffer.concat(out).toString('utf8'),
          stderr: Buffer.concat(said).toString('utf8'),
        });
    });
    // A program that ends without reading says why by its exit status.
    child.stdin.on('error', () => undefined);
    child.stdin.end(run.input ?? '');
  });
}

function lateError({ timeoutMs }: KeychainRun): BridgeError {
  return new BridgeError(
    'config_invalid',
    `The keychain did not answer within ${Math.round(timeoutMs / 1000)} s.`,
    { hint: 'It may be waiting to be unlocked: unlock it, then try again.' },
  );
}
