import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { BridgeError } from '../../../../src/base/bridgeError.ts';
import { gatewayError } from '../../../../src/bridge/gateway/gatewayError.ts';
import { upstreamError } from '../../../../src/bridge/gateway/upstreamError.ts';

const BASE = 'http://user:secret@127.0.0.1:8080/path';
const coded = (code: string, cause?: unknown) => Object.assign(new Error('x', { cause }), { code });

describe('upstreamError', () => {
  const refused = new BridgeError('policy_refused', 'Not allowed.');
  for (const { name, error, hasBegun, kind, says } of [
    {
      name: 'refused connection',
      error: coded('ECONNREFUSED'),
      hasBegun: false,
      kind: 'backend_unreachable',
      says: 'The model server at http://127.0.0.1:8080 could not be reached: nothing is listening there.',
    },
    {
      name: 'two addresses refused',
      error: new AggregateError([coded('ECONNREFUSED')]),
      hasBegun: false,
      kind: 'backend_unreachable',
      says: /nothing is listening/,
    },
    {
      name: 'nested',
      error: new Error('fetch failed', { cause: coded('EHOSTUNREACH') }),
      hasBegun: false,
      kind: 'backend_unreachable',
      says: /the host is down/,
    },
    {
      name: 'broken off',
      error: coded('UND_ERR_SOCKET'),
      hasBegun: true,
      kind: 'backend_error',
      says: /^The answer from http:\/\/127.0.0.1:8080 broke off/,
    },
    {
      name: 'unknown code',
      error: coded('HPE_INVALID'),
      hasBegun: false,
      kind: 'backend_unreachable',
      says: /\(HPE_INVALID\)/,
    },
    {
      name: 'policy',
      error: coded('UND_ERR', refused),
      hasBegun: false,
      kind: 'policy_refused',
      says: 'Not allowed.',
    },
    {
      name: 'a fault of ours',
      error: new TypeError('x is not a function'),
      hasBegun: false,
      kind: 'internal',
      says: 'x is not a function',
    },
  ] as const) {
    it(name, () => {
      const found = upstreamError(error, BASE, hasBegun);
      assert.equal(found.kind, kind);
      if (typeof says === 'string') assert.equal(found.message, says);
      else assert.match(found.message, says);
      assert.ok(!found.message.includes('secret'));
    });
  }
});

describe('gatewayError', () => {
  it('is shaped like an error of the API, the hint behind the message', () => {
    const shaped = gatewayError(new BridgeError('policy_refused', 'No.', { hint: 'Ask.' }));
    assert.equal(shaped.status, 403);
    assert.deepEqual(JSON.parse(shaped.body), {
      type: 'error',
      error: { type: 'permission_error', message: 'No. Ask.' },
    });
  });
});
