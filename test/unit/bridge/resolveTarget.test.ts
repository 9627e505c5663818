import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { request } from 'undici';
import { BridgeError } from '../../../src/base/bridgeError.ts';
import { resolveTarget } from '../../../src/bridge/resolveTarget.ts';
import { endpointSchema } from '../../../src/config/endpointSchema.ts';

/** Link-local: refused before any connection is made. */
const URL_TEXT = 'http://[fe80::1]:9/v1';
const SOURCES = {
  env: { KEY: 'sk-from-env' },
  secrets: { read: async () => ({ get: () => null }) },
};

function target(name: string, key = ''): ReturnType<typeof resolveTarget> {
  const entry = {
    ...endpointSchema.parse({ base_url: URL_TEXT, api_key: key }),
    base_url: URL_TEXT,
  };
  return resolveTarget(name, entry, 'any', SOURCES);
}

describe('resolveTarget', () => {
  it('connections to an endpoint that a call named are guarded, whatever the policy', async () => {
    const { dispatcher } = (await target('provider:http://[fe80::1]:9')).target;
    await assert.rejects(request(URL_TEXT, { dispatcher }), (error) =>
      BridgeError.is(error, 'policy_refused'),
    );
    await dispatcher.close();
  });

  for (const [what, key, value] of [
    ['a literal key', 'sk-literal-key', 'sk-literal-key'],
    ['a reference', '${env:KEY}', 'sk-from-env'],
  ] as const) {
    it(`${what} is sent, and is among the values that no log may hold`, async () => {
      const resolved = await target('provider:x', key);
      assert.equal(resolved.target.headers['x-api-key'], value);
      assert.ok(Object.values(resolved.secretValues).includes(value));
      await resolved.target.dispatcher.close();
    });
  }
});
