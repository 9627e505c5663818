import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { gatewayRoute } from '../../../../src/bridge/gateway/route.ts';

describe('gatewayRoute', () => {
  for (const [method, path, route] of [
    ['HEAD', '/', 'alive'],
    ['POST', '/v1/messages', 'messages'],
    ['POST', '/v1/messages/count_tokens', 'count_tokens'],
    ['GET', '/v1/models', 'models'],
    ['GET', '/v1/models/org/model:7b', 'models'],
    ['GET', '/v1/messages', null],
    ['POST', '/v1/messages/', null],
    ['POST', '/slots/0', null],
    ['POST', '/key/generate', null],
    ['GET', '/v1/models/../../slots', null],
    ['GET', '/v1/models/..', null],
    ['GET', '/v1/models/%2e%2e/slots', null],
    ['POST', '//v1/messages', null],
    ['GET', '/', null],
  ] as const) {
    it(`${method} ${path} → ${route}`, () => assert.equal(gatewayRoute(method, path), route));
  }
});
