import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { apiUrl } from '../../../../src/bridge/endpoints/apiUrl.ts';

describe('apiUrl', () => {
  for (const [baseUrl, expected] of [
    ['http://h', 'http://h/v1/models'],
    ['http://h:8080/', 'http://h:8080/v1/models'],
    ['http://h/v1', 'http://h/v1/models'],
    ['http://h/v1/messages', 'http://h/v1/models'],
    ['http://h/v1/messages?a=b#c', 'http://h/v1/models'],
    ['https://api.z.ai/api/anthropic/v1/messages', 'https://api.z.ai/api/anthropic/v1/models'],
    ['https://openrouter.ai/api/v1/chat/completions', 'https://openrouter.ai/api/v1/models'],
    ['http://h/v1beta/x', 'http://h/v1beta/x/v1/models'],
    ['http://[::1]:8080', 'http://[::1]:8080/v1/models'],
    ['http://user:secret@h', 'http://h/v1/models'],
  ] as const) {
    it(baseUrl, () => assert.equal(apiUrl(baseUrl, '/v1/models').href, expected));
  }

  for (const baseUrl of ['', 'tower', 'tower:8080', 'file:///etc/passwd', 'ftp://h']) {
    it(`refuses '${baseUrl}'`, () => assert.throws(() => apiUrl(baseUrl, '/x'), TypeError));
  }
});
