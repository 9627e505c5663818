import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { BridgeError } from '../../../src/base/bridgeError.ts';
import { adHocRequest } from '../../../src/bridge/adHocRequest.ts';
import type { JobStore } from '../../../src/bridge/jobs/jobStore.ts';
import type { JobRequest } from '../../../src/protocol/job.ts';

type Provider = NonNullable<JobRequest['provider']>;

const NO_STORE = {
  find: () => assert.fail('the store was asked'),
} as unknown as JobStore;

function storeWith(request: JobRequest): JobStore {
  return { find: () => ({ spec: { request } }) } as unknown as JobStore;
}

const URL_TEXT = 'https://api.example/v1/messages';
const provider = (more: Partial<Provider> = {}): Provider => ({
  url: URL_TEXT,
  model: 'm',
  ...more,
});

function kindOf(request: JobRequest, store = NO_STORE): string {
  try {
    adHocRequest(request, store);
    return 'taken';
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
    return error.kind;
  }
}

describe('adHocRequest', () => {
  it('leaves a request without a provider as it is', () => {
    const request: JobRequest = { task: 'x', model: 'm', endpoint: 'e' };
    assert.deepEqual(adHocRequest(request, NO_STORE), { request, key: null });
  });

  it('takes a literal key out, so that nothing that is kept has it', () => {
    const { request, key } = adHocRequest(
      { task: 'x', provider: provider({ literalKey: 'sk-secret' }) },
      NO_STORE,
    );
    assert.equal(key, 'sk-secret');
    assert.ok(!JSON.stringify(request).includes('sk-secret'));
    assert.equal(request.provider?.isKeyGiven, true);
    assert.equal(request.endpoint, 'provider:api.example');
    assert.equal(request.model, 'm');
  });

  const kinds: [string, JobRequest, string][] = [
    ['a reference', { task: 'x', provider: provider({ apiKey: '${env:KEY}' }) }, 'taken'],
    ['a secret', { task: 'x', provider: provider({ apiKey: '${secret:key}' }) }, 'taken'],
    ['no key', { task: 'x', provider: provider() }, 'taken'],
    ['a value for a key', { task: 'x', provider: provider({ apiKey: 'sk-1' }) }, 'bad_argument'],
    ['a mixture', { task: 'x', provider: provider({ apiKey: 'sk-${env:KEY}' }) }, 'bad_argument'],
    [
      'a value in a header',
      { task: 'x', provider: provider({ headers: { 'x-key': 'sk-1' } }) },
      'bad_argument',
    ],
    [
      'a reference in a header',
      { task: 'x', provider: provider({ headers: { authorization: 'Bearer ${env:KEY}' } }) },
      'taken',
    ],
    [
      'a value with a reference in it',
      { task: 'x', provider: provider({ literalKey: 'sk-${env:KEY}' }) },
      'bad_argument',
    ],
    [
      'a reference as a value',
      { task: 'x', provider: provider({ literalKey: '${secret:key}' }) },
      'bad_argument',
    ],
    ['another model', { task: 'x', model: 'n', provider: provider() }, 'bad_argument'],
    ['an endpoint', { task: 'x', endpoint: 'e', provider: provider() }, 'bad_argument'],
    [
      'its own endpoint and model',
      { task: 'x', endpoint: 'provider:api.example', model: 'm', provider: provider() },
      'taken',
    ],
    ['a file', { task: 'x', provider: provider({ url: 'file:///x' }) }, 'bad_argument'],
    [
      'a key that was given once',
      { task: 'x', provider: provider({ isKeyGiven: true }) },
      'secret_missing',
    ],
  ];
  for (const [what, request, expected] of kinds) {
    it(`${what}: ${expected}`, () => assert.equal(kindOf(request), expected));
  }

  it('a resumed job goes on with the provider that it had', () => {
    const store = storeWith({ task: 'x', provider: provider({ apiKey: '${env:KEY}' }) });
    const { request } = adHocRequest({ task: 'y', resumeJob: 'j' }, store);
    assert.equal(request.endpoint, 'provider:api.example');
    assert.equal(request.provider?.apiKey, '${env:KEY}');
  });

  it('a resumed job that names a model goes by that', () => {
    const request: JobRequest = { task: 'y', resumeJob: 'j', model: 'n' };
    assert.deepEqual(adHocRequest(request, NO_STORE).request, request);
  });
});
