import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const PROGRAMS = ['dbus-daemon', 'gnome-keyring-daemon', 'secret-tool'];

/** Why there is no real keychain for a test here; null when there is one. */
export function whyNoSecretService(): string | null {
  if (process.platform !== 'linux') return 'only Linux has a Secret Service';
  const missing = PROGRAMS.filter((program) => !isThere(program));
  return missing.length === 0
    ? null
    : `not installed: ${missing.join(', ')} (packages dbus-daemon, gnome-keyring, libsecret-tools)`;
}

export interface SecretService {
  /** What a program needs to reach it, and nothing of the person's own session. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends the keyring; the bus starts it anew, locked and with nobody to unlock it. */
  lock(): Promise<void>;
  stop(): Promise<void>;
}

/** A session bus and an unlocked GNOME Keyring of the test's own, with its files in a folder of its own. */
export async function startSecretService(): Promise<SecretService> {
  const folder = mkdtempSync(join(tmpdir(), 'delegate-keyring-'));
  const runtime = join(folder, 'run');
  mkdirSync(runtime, { mode: 0o700 });
  const base = {
    HOME: folder,
    PATH: process.env['PATH'] ?? '',
    XDG_RUNTIME_DIR: runtime,
    XDG_DATA_HOME: join(folder, 'data'),
  };
  const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address=1'], {
    env: base,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const [line] = (await once(bus.stdout, 'data')) as [Buffer];
  const env = { ...base, DBUS_SESSION_BUS_ADDRESS: line.toString().trim() };
  const keyring = spawn(
    'gnome-keyring-daemon',
    ['--foreground', '--unlock', '--components=secrets'],
    { env, stdio: ['pipe', 'ignore', 'ignore'] },
  );
  keyring.stdin.end('test');
  await untilItKeeps(env);
  return {
    env,
    lock: () => ended(keyring),
    stop: async () => {
      await ended(keyring);
      // What the bus has started is in its group.
      if (bus.pid !== undefined) process.kill(-bus.pid, 'SIGKILL');
      await once(bus, 'exit');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function untilItKeeps(env: Readonly<Record<string, string>>): Promise<void> {
  const deadlineMs = performance.now() + 20_000;
  for (;;) {
    const isKept = await new Promise<boolean>((resolve) => {
      const child = spawn('secret-tool', ['store', '--label=test', 'test', 'ready'], {
        env,
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      child.once('exit', (code) => resolve(code === 0));
      child.stdin.end('ready');
    });
    if (isKept) return;
    if (performance.now() > deadlineMs) throw new Error('The keyring of the test does not keep.');
    await delay(100);
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}

function isThere(program: string): boolean {
  try {
    execFileSync('/bin/sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    // The shell says by its exit status that it found none.
    return false;
  }
}
