import { statSync } from 'node:fs';
import { jailMounts, type JailMount } from './jailMounts.ts';
import type { NetworkJail } from './networkJail.ts';

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
    wrap: (command, args, { cwd, writable, tmpDir }) => ({
      command: program,
      args: [
        ...['--ro-bind', '/', '/'],
        ...['--dev', '/dev', '--proc', '/proc'],
        ...['--tmpfs', '/run'],
        // NixOS has its programs there.
        ...['--ro-bind-try', '/run/current-system', '/run/current-system'],
        ...(tmpDir === null ? ['--tmpfs', '/tmp'] : ['--bind', tmpDir, '/tmp']),
        ...jailMounts({ hidden: ['/run', '/tmp', ...secrets], writable, cwd })
          .filter(({ path }) => path !== '/run' && path !== '/tmp')
          .flatMap(mountArgs),
        ...['--unshare-net', '--unshare-pid', '--unshare-ipc', '--unshare-uts'],
        ...['--cap-drop', 'ALL', '--die-with-parent'],
        ...['--setenv', 'TMPDIR', '/tmp', '--unsetenv', 'TEMP', '--unsetenv', 'TMP'],
        // Go builds nothing where it cannot write its cache.
        ...['--setenv', 'GOCACHE', '/tmp/go-build'],
        ...['--chdir', cwd, '--', command, ...args],
      ],
    }),
  };
}

function mountArgs({ path, kind }: JailMount): string[] {
  switch (kind) {
    case 'writable':
      return ['--bind', path, path];
    case 'readable':
      return ['--ro-bind', path, path];
    case 'hidden':
      // An empty file rather than one that cannot be read: programs stop where their settings are unreadable.
      return statSync(path).isDirectory() ? ['--tmpfs', path] : ['--dev-bind', '/dev/null', path];
  }
}
