import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { resolveHost } from '../../../../src/bridge/endpoints/resolveHost.ts';

describe('resolveHost', () => {
  for (const name of ['localhost', 'LOCALHOST', 'localhost.', 'llm.localhost']) {
    it(`${name} is loopback in both families, without a question to anybody`, async () => {
      assert.deepEqual(await resolveHost(name), ['127.0.0.1', '::1']);
    });
  }
  for (const [address, expected] of [
    ['192.0.2.7', '192.0.2.7'],
    ['[::1]', '::1'],
    ['2001:db8::1', '2001:db8::1'],
  ] as const) {
    it(`${address} is its own answer`, async () => {
      assert.deepEqual(await resolveHost(address), [expected]);
    });
  }
});
