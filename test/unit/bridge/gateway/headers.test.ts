import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { requestHeaders, responseHeaders } from '../../../../src/bridge/gateway/headers.ts';

describe('requestHeaders', () => {
  it("leaves out the client's credentials, hop-by-hop headers and those that Connection names", () => {
    const client = {
      authorization: 'Bearer client',
      'x-api-key': 'client',
      cookie: 'c=1',
      'proxy-authorization': 'Basic x',
      host: '127.0.0.1:1',
      connection: 'keep-alive, X-Hop',
      'x-hop': '1',
      'transfer-encoding': 'chunked',
      'content-length': '9',
      'accept-encoding': 'gzip, br',
      'anthropic-beta': 'b',
      'content-type': 'application/json',
    };
    assert.deepEqual(requestHeaders(client, { 'X-Api-Key': 'endpoint' }), {
      'x-api-key': 'endpoint',
      'accept-encoding': 'identity',
      'anthropic-beta': 'b',
      'content-type': 'application/json',
    });
  });
});

describe('responseHeaders', () => {
  it('passes rate limits, retry-after and request ids, but no cookies and no hop-by-hop headers', () => {
    const passing = {
      'retry-after': '3',
      'request-id': 'r',
      'anthropic-ratelimit-requests-remaining': '1',
    };
    const answer = {
      ...passing,
      'set-cookie': ['a=1'],
      'keep-alive': 'timeout=5',
      connection: 'x-y',
      'x-y': '1',
    };
    assert.deepEqual(responseHeaders(answer), passing);
  });
});
