import { execFile } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { sanitiseLine } from '../../base/sanitise.ts';
import type { NetworkJail } from './networkJail.ts';

const TIME_LIMIT_MS = 5_000;

/**
 * Runs something in the jail once, since a program that is there may still not be allowed to make one (containers, hardened
 * kernels). Resolves to why it does not work; null when it does.
 */
export async function jailProbe(
  jail: NetworkJail,
  platform: NodeJS.Platform,
): Promise<string | null> {
  // On Linux the network of a process has a name, and the one inside must have another.
  const script = platform === 'linux' ? 'readlink /proc/self/ns/net' : ':';
  const { command, args } = jail.wrap('/bin/sh', ['-c', script], {
    cwd: '/',
    writable: [],
    tmpDir: null,
  });
  return new Promise((done) => {
    execFile(
      command,
      args,
      { timeout: TIME_LIMIT_MS, killSignal: 'SIGKILL', encoding: 'utf8' },
      (error, stdout, stderr) => {
        if (error) return done(sanitiseLine(stderr.trim() === '' ? error.message : stderr));
        if (platform !== 'linux') return done(null);
        const inside = stdout.trim();
        const isOwn = inside !== '' && inside !== readlinkSync('/proc/self/ns/net');
        done(isOwn ? null : 'it started, but with the network of everybody');
      },
    ).stdin?.end();
  });
}
