import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import * as path from 'node:path';
import { BridgeError } from '../base/bridgeError.ts';

export interface LauncherTarget {
  /** The editor's own Node, or the Node of an installation without an editor. */
  readonly execPath: string;
  /** The command line program of the installed version. */
  readonly script: string;
}

/**
 * Writes `<state dir>/bin/delegate`, the path that Claude Code and terminals are registered with. It is written anew at
 * each activation, so an update of the extension, which moves the program, breaks no registration.
 *
 * The new text replaces the old in one step and a symbolic link at its place is replaced, not followed.
 *
 * @returns the launcher's path
 * @throws BridgeError `state_dir_invalid` when `bin` is not a folder of its own
 */
export async function writeLauncher(
  stateDir: string,
  target: LauncherTarget,
  platform: NodeJS.Platform,
): Promise<string> {
  const binDir = path.join(stateDir, 'bin');
  await mkdir(binDir, { recursive: true, mode: 0o700 });
  if (!(await lstat(binDir)).isDirectory()) {
    throw new BridgeError('state_dir_invalid', `${binDir} is not a folder of its own.`, {
      hint: `Remove it; the next start of the editor makes it anew.`,
    });
  }
  const isWindows = platform === 'win32';
  const file = path.join(binDir, isWindows ? 'delegate.cmd' : 'delegate');
  const unfinished = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    const handle = await open(unfinished, 'wx', 0o755);
    try {
      await handle.writeFile(isWindows ? windowsLauncher(target) : shellLauncher(target));
    } finally {
      await handle.close();
    }
    await chmod(unfinished, 0o755); // whatever the umask took away
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  return file;
}

function shellLauncher({ execPath, script }: LauncherTarget): string {
  return `#!/bin/sh
# Written by Delegation Bridge at each start of the extension, or by "delegate setup"; changes made here are lost.
script=${shellQuoted(script)}
node=${shellQuoted(execPath)}
for part in "$script" "$node"; do
  if [ ! -f "$part" ]; then
    echo "delegate: $part is gone. Start the editor once, or run \\"delegate setup\\" of another installation." >&2
    exit 127
  fi
done
export ELECTRON_RUN_AS_NODE=1
exec "$node" "$script" "$@"
`;
}

function windowsLauncher({ execPath, script }: LauncherTarget): string {
  const quoted = (text: string): string => `"${text.replaceAll('%', '%%')}"`;
  return [
    '@echo off',
    'rem Written by Delegation Bridge at each start of the extension, or by "delegate setup"; changes made here are lost.',
    'setlocal',
    'set ELECTRON_RUN_AS_NODE=1',
    `${quoted(execPath)} ${quoted(script)} %*`,
    '',
  ].join('\r\n');
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
