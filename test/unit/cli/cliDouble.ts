import { Readable, Writable } from 'node:stream';
import type { CliContext } from '../../../src/cli/cliContext.ts';
import type { BridgeApi } from '../../../src/server/bridgeApi.ts';
import { bridgeDouble } from '../server/bridgeDouble.ts';

/** A terminal-less command line over an engine that knows what it was told. */
export function cliDouble(told: Partial<BridgeApi> = {}, stdinText = '') {
  const written = { stdout: '', stderr: '' };
  const sink = (name: 'stdout' | 'stderr'): Writable =>
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        written[name] += chunk.toString();
        done();
      },
    });
  const bridge = bridgeDouble(told);
  const context: CliContext = {
    env: {},
    cwd: '/project',
    stdin: Readable.from([Buffer.from(stdinText)]),
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    version: '0.0.0',
    distDir: '/dist',
    caller: { kind: 'person', name: 'cli', session: null, pid: null },
    now: () => new Date('2026-11-29T12:04:12.000Z'),
    bridge: async () => bridge,
  };
  return { context, bridge, written };
}
