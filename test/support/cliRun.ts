import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { type BridgeWorld, ROOT } from './bridgeWorld.ts';

export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command in the background: its output so far, and its end. */
export function startCommand(
  world: BridgeWorld,
  args: readonly string[],
  {
    stdin = '',
    program = 'delegate',
    env = {},
  }: { stdin?: string; program?: string; env?: Record<string, string> } = {},
) {
  const child = spawn(process.execPath, [join(ROOT, 'bin', `${program}.cjs`), ...args], {
    cwd: world.repo.root,
    env: { ...world.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  child.stdin.end(stdin);
  const ended = new Promise<CliRun>((resolve) => {
    child.once('close', (code) => resolve({ code, ...output }));
  });
  return { child, output, ended };
}

export function runCommand(...args: Parameters<typeof startCommand>): Promise<CliRun> {
  return startCommand(...args).ended;
}
