import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { request } from 'undici';
import { BridgeError } from '../../../src/base/bridgeError.ts';
import { resolveTarget } from '../../../src/bridge/resolveTarget.ts';
import { endpointSchema } from '../../../src/config/endpointSchema.ts';

/** Link-local without a zone: where nothing is refused the system itself has no way there. */
const URL_TEXT = 'http://[fe80::1]:9/v1';
const SOURCES = { env: { KEY: 'sk-from-env' }, secrets: { get: () => null } };

function target(name: string, key = ''): ReturnType<typeof resolveTarget> {
  const entry = {
    ...endpointSchema.parse({ base_url: URL_TEXT, api_key: key }),
    base_url: URL_TEXT,
  };
  return resolveTarget(name, entry, 'any', SOURCES);
}

async function failureAt(name: string): Promise<unknown> {
  const { dispatcher } = target(name).target;
  try {
    await request(URL_TEXT, { dispatcher });
    return null;
  } catch (error) {
    return error;
  } finally {
    await dispatcher.destroy();
  }
}

describe('resolveTarget', () => {
  it('connections to an endpoint that a call named are guarded, whatever the policy', async () => {
    const error = await failureAt('provider:http://[fe80::1]:9');
    assert.ok(BridgeError.is(error, 'policy_refused'), String(error));
  });

  it('an endpoint of models.yaml may be link-local: a machine on the same cable', async () => {
    const error = await failureAt('cable');
    assert.ok(error !== null && !BridgeError.is(error), String(error));
  });

  for (const [what, key, value] of [
    ['a literal key', 'sk-literal-key', 'sk-literal-key'],
    ['a reference', '${env:KEY}', 'sk-from-env'],
  ] as const) {
    it(`${what} is sent, and is among the values that no log may hold`, () => {
      const resolved = target('provider:x', key);
      assert.equal(resolved.target.headers['x-api-key'], value);
      assert.ok(Object.values(resolved.secretValues).includes(value));
      void resolved.target.dispatcher.close();
    });
  }
});
