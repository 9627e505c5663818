import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FAR_ADDRESS } from './farServer.ts';

/**
 * Runs a program in a network of its own in which a public address exists, and where names are asked of a server on this machine. The
 * product has no switch that would make loopback count as far, and must have none.
 */
const SET_UP = `
set -e
ip link set lo up
ip addr add ${FAR_ADDRESS}/32 dev lo
# Caches and resolvers of the machine are reached by sockets there.
mount -t tmpfs tmpfs /run
mount --bind "$1/resolv.conf" "$(realpath -m /etc/resolv.conf)" 2>/dev/null || {
  mkdir -p "$(dirname "$(realpath -m /etc/resolv.conf)")"
  cp "$1/resolv.conf" "$(realpath -m /etc/resolv.conf)"
}
mount --bind "$1/nsswitch.conf" /etc/nsswitch.conf
mount --bind "$1/hosts" /etc/hosts
shift
exec "$@"
`;

const UNSHARE = 'unshare';

/** Why there can be no such network here; null: there can. */
export function whyNoFarNet(scratch: string): string | null {
  if (process.platform !== 'linux') return 'a network of its own needs Linux';
  const tried = inFarNet(scratch, ['ip', 'addr', 'show', 'lo']);
  if (tried.code === 0 && tried.output.includes(FAR_ADDRESS)) return null;
  return `no network of its own here: ${tried.output.trim().split('\n')[0] ?? 'unshare failed'}`;
}

export function inFarNet(
  scratch: string,
  command: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): { code: number | null; output: string } {
  writeFileSync(
    join(scratch, 'resolv.conf'),
    'nameserver 127.0.0.1\noptions timeout:2 attempts:1\n',
  );
  writeFileSync(join(scratch, 'nsswitch.conf'), 'passwd: files\ngroup: files\nhosts: files dns\n');
  writeFileSync(join(scratch, 'hosts'), '127.0.0.1 localhost\n::1 localhost\n');
  const run = spawnSync(
    UNSHARE,
    ['--map-root-user', '--mount', '--net', 'sh', '-c', SET_UP, 'sh', scratch, ...command],
    { encoding: 'utf8', env, timeout: 280_000, maxBuffer: 64 * 1024 * 1024 },
  );
  return {
    code: run.status,
    output: `${run.error?.message ?? ''}${run.stderr ?? ''}${run.stdout ?? ''}`,
  };
}
