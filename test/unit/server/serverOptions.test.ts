import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { BridgeError } from '../../../src/base/bridgeError.ts';
import { parseServerOptions, type ServerOptions } from '../../../src/server/serverOptions.ts';

const DEFAULTS: ServerOptions = {
  profile: 'bridge',
  isRestricted: false,
  configFile: null,
  progressIntervalMs: 15_000,
};

describe('parseServerOptions', () => {
  const good: [string[], Partial<ServerOptions>][] = [
    [[], {}],
    [['--profile', 'ui', '--restricted'], { profile: 'ui', isRestricted: true }],
    [['--profile', 'delegate-local'], { profile: 'delegate-local' }],
    [['--config=a.yaml'], { configFile: 'a.yaml' }],
    [['--progress-interval-ms', '50'], { progressIntervalMs: 50 }],
  ];
  for (const [argv, expected] of good) {
    it(argv.join(' ') || 'nothing', () =>
      assert.deepEqual(parseServerOptions(argv), { ...DEFAULTS, ...expected }),
    );
  }
  const bad: [string[], string][] = [
    [['--profile', 'x'], 'bad_argument'],
    [['--http', '127.0.0.1:1'], 'not_supported'],
    [['--profile'], 'bad_argument'],
    [['extra'], 'bad_argument'],
    [['--progress-interval-ms', '0'], 'bad_argument'],
  ];
  for (const [argv, kind] of bad) {
    it(`${argv.join(' ')} is ${kind}`, () => {
      assert.throws(
        () => parseServerOptions(argv),
        (error) => BridgeError.from(error).kind === kind,
      );
    });
  }
});
