import { jailMounts, type JailMount } from './jailMounts.ts';
import type { NetworkJail } from './networkJail.ts';

const DEVICES = ['/dev/null', '/dev/zero', '/dev/tty', '/dev/dtracehelper'];

/**
 * The jail of macOS: a profile for sandbox-exec(1), in which the last rule that fits holds. Written by the manual; it has not run
 * on a Mac yet. Unlike bubblewrap's, processes outside are seen.
 * @param secrets real paths that are not to be seen
 */
export function seatbelt(program: string, secrets: readonly string[]): NetworkJail {
  return {
    name: 'sandbox-exec',
    wrap: (command, args, { cwd, writable, tmpDir }) => {
      const temporary = tmpDir === null ? [] : [tmpDir];
      const mounts = jailMounts({ hidden: secrets, writable: [...writable, ...temporary], cwd });
      const profile = [
        '(version 1)',
        '(allow default)',
        '(deny network*)',
        '(deny file-write*)',
        `(allow file-write* ${DEVICES.map((path) => `(literal ${quoted(path)})`).join(' ')})`,
        ...mounts.map(rule),
        // A folder on the way to one that is allowed is looked up, also where its content is hidden.
        '(allow file-read-metadata)',
      ].join('\n');
      const settings = temporary.map((path) => `TMPDIR=${path}`);
      return {
        command: program,
        args: ['-p', profile, '/usr/bin/env', ...settings, command, ...args],
      };
    },
  };
}

function rule({ path, kind }: JailMount): string {
  const place = `(subpath ${quoted(path)})`;
  switch (kind) {
    case 'writable':
      return `(allow file-read* file-write* ${place})`;
    case 'readable':
      return `(allow file-read* ${place})`;
    case 'hidden':
      return `(deny file-read* file-write* ${place})`;
  }
}

function quoted(path: string): string {
  return `"${path.replace(/["\\]/g, '\\$&')}"`;
}
