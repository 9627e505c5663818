import { statSync } from 'node:fs';
import { jailMounts, type JailMount } from './jailMounts.ts';
import type { NetworkJail } from './networkJail.ts';

const LAID_OVER = ['/run', '/tmp'];

/**
 * The jail of Linux (https://github.com/containers/bubblewrap): a network of its own with nothing in it, the file system
 * read-only, and processes of its own: those outside, whose environment holds keys, are not seen.
 * `/run` and `/tmp` are laid over because a socket there (container engine, session bus, key agent) is a way to the network that
 * no read-only mount closes. No capability is kept: run as root, it could mount everything writable again.
 * @param secrets real paths that are not to be seen
 */
export function bubblewrap(program: string, secrets: readonly string[]): NetworkJail {
  return {
    name: 'bwrap',
    wrap: (command, args, { cwd, writable, tmpDir }) => {
      const mounts = jailMounts({ hidden: [...LAID_OVER, ...secrets], writable, cwd });
      const isAllWritable = mounts.some(({ path, kind }) => path === '/' && kind === 'writable');
      const wrapped = [
        ...[isAllWritable ? '--bind' : '--ro-bind', '/', '/'],
        ...['--dev', '/dev', '--proc', '/proc'],
        // The settings of the kernel go by the user id and not by capabilities: root could have any program run outside.
        ...['--ro-bind-try', '/proc/sys', '/proc/sys'],
        ...['--tmpfs', '/run'],
        // NixOS has its programs there.
        ...['--ro-bind-try', '/run/current-system', '/run/current-system'],
        ...(tmpDir === null ? ['--tmpfs', '/tmp'] : ['--bind', tmpDir, '/tmp']),
        ...mounts.filter((mount) => !isLaidAlready(mount)).flatMap(mountArgs),
        ...['--unshare-net', '--unshare-pid', '--unshare-ipc', '--unshare-uts'],
        ...['--cap-drop', 'ALL', '--die-with-parent'],
        ...['--setenv', 'TMPDIR', '/tmp', '--unsetenv', 'TEMP', '--unsetenv', 'TMP'],
        // Go builds nothing where it cannot write its cache.
        ...['--setenv', 'GOCACHE', '/tmp/go-build'],
        ...['--chdir', cwd, '--', command, ...args],
      ];
      return { command: program, args: wrapped };
    },
  };
}

/** By the arguments that come before: what they made would be covered again. */
function isLaidAlready({ path, kind }: JailMount): boolean {
  return path === '/' || (kind === 'hidden' && LAID_OVER.includes(path));
}

function mountArgs({ path, kind }: JailMount): string[] {
  switch (kind) {
    case 'writable':
      return ['--bind', path, path];
    case 'readable':
      return ['--ro-bind', path, path];
    case 'hidden': {
      const found = statSync(path, { throwIfNoEntry: false });
      if (found === undefined) return [];
      // An empty file rather than one that cannot be read: programs stop where their settings are unreadable.
      return found.isDirectory() ? ['--tmpfs', path] : ['--dev-bind', '/dev/null', path];
    }
  }
}
