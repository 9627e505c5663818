import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  localityOf,
  modelLocality,
  placeAfterProbe,
  placeOf,
  type PlaceInput,
} from '../../../../src/bridge/endpoints/locality.ts';

const AUTO: PlaceInput = {
  baseUrl: 'http://tower:8080',
  backend: 'llama.cpp',
  declared: 'auto',
  isProxied: false,
};

describe('placeOf', () => {
  const table: readonly (readonly [
    what: string,
    Partial<PlaceInput>,
    readonly string[] | null,
    string,
  ])[] = [
    ['loopback', {}, ['127.0.0.1', '::1'], 'local address'],
    ['private', {}, ['192.168.1.5'], 'lan address'],
    ['tailnet', {}, ['100.101.1.2'], 'lan address'],
    ['loopback and LAN', {}, ['127.0.0.1', '192.168.1.5'], 'lan address'],
    ['public', {}, ['203.0.113.5'], 'cloud address'],
    ['near and public at once', {}, ['192.168.1.5', '2001:db8::5'], 'unknown address'],
    ['credentials service of a cloud', {}, ['169.254.169.254'], 'unknown address'],
    ['no address', {}, null, 'unknown unresolved'],
    ['an empty answer', {}, [], 'unknown unresolved'],
    ['gateway on loopback', { backend: 'litellm' }, ['127.0.0.1'], 'unknown gateway'],
    ['gateway in the LAN', { backend: 'bifrost' }, ['10.0.0.1'], 'unknown gateway'],
    ['gateway at a public address', { backend: 'litellm' }, ['203.0.113.5'], 'cloud address'],
    [
      'gateway declared local',
      { backend: 'litellm', declared: 'local' },
      ['127.0.0.1'],
      'local declared',
    ],
    ['vendor', { baseUrl: 'https://api.anthropic.com' }, ['203.0.113.5'], 'cloud vendor'],
    ['vendor that does not resolve', { baseUrl: 'https://api.openai.com' }, null, 'cloud vendor'],
    [
      'vendor with a lying resolver',
      { baseUrl: 'https://api.openai.com' },
      ['127.0.0.1'],
      'cloud vendor',
    ],
    [
      'a name that only ends like a vendor',
      { baseUrl: 'http://notopenai.com' },
      ['10.0.0.1'],
      'lan address',
    ],
    [
      'vendor declared local',
      { baseUrl: 'https://api.openai.com', declared: 'local' },
      ['127.0.0.1'],
      'unknown declared',
    ],
    ['behind a proxy, public', { isProxied: true }, ['203.0.113.5'], 'cloud proxy'],
    ['behind a proxy, not resolved here', { isProxied: true }, null, 'cloud proxy'],
    ['behind a proxy, private', { isProxied: true }, ['10.0.0.1'], 'unknown proxy'],
    ['declared rented', { declared: 'rented' }, ['203.0.113.5'], 'rented declared'],
    ['declared cloud', { declared: 'cloud' }, ['127.0.0.1'], 'cloud declared'],
    ['declared lan', { declared: 'lan' }, ['10.0.0.1'], 'lan declared'],
    [
      'declared local at a public address',
      { declared: 'local' },
      ['203.0.113.5'],
      'unknown declared',
    ],
    [
      'declared lan at a public address',
      { declared: 'lan' },
      ['10.0.0.1', '203.0.113.5'],
      'unknown declared',
    ],
  ];
  for (const [what, input, addresses, expected] of table) {
    it(`${what}: ${expected}`, () => {
      const place = placeOf({ ...AUTO, ...input }, addresses);
      assert.equal(`${place.locality} ${place.source}`, expected);
    });
  }

  it('says why a declaration does not hold', () => {
    const { warning } = placeOf({ ...AUTO, declared: 'local' }, ['203.0.113.5']);
    assert.match(warning ?? '', /declared local.*tower.*203\.0\.113\.5/);
    assert.equal(placeOf({ ...AUTO, declared: 'local' }, ['127.0.0.1']).warning, null);
  });
});

describe('localityOf', () => {
  const at = (
    baseUrl: string,
    lookup: (name: string) => Promise<readonly string[]>,
  ): Promise<string> =>
    localityOf({ ...AUTO, baseUrl }, { lookup, timeoutMs: 50 }).then(
      (place) => `${place.locality} ${place.source}`,
    );
  const never = (): Promise<never> => Promise.reject(new Error('no lookup expected'));

  it('asks the resolver for names only', async () => {
    assert.equal(await at('http://127.0.0.1:1', never), 'local address');
    assert.equal(await at('http://[::1]:1', never), 'local address');
    assert.equal(await at('http://0x7f.1/', never), 'local address');
    assert.equal(
      await at('http://Tower.lan', async (name) => [name === 'tower.lan' ? '10.0.0.9' : '']),
      'lan address',
    );
  });

  it('a resolver that fails or hangs leaves the place unknown', async () => {
    assert.equal(await at('http://tower', never), 'unknown unresolved');
    assert.equal(
      await at('http://tower', () => new Promise(() => undefined)),
      'unknown unresolved',
    );
  });
});

describe('placeAfterProbe', () => {
  const near = { locality: 'local', source: 'address' } as const;

  it('a gateway that shows itself is no longer local', () => {
    assert.deepEqual(placeAfterProbe(near, { backend: 'litellm' }), {
      locality: 'unknown',
      source: 'gateway',
    });
    assert.deepEqual(placeAfterProbe(near, { backend: 'llama.cpp' }), near);
    assert.deepEqual(placeAfterProbe(near, null), near);
  });

  it('a declaration holds, and what is far stays far', () => {
    const declared = { locality: 'lan', source: 'declared' } as const;
    const far = { locality: 'cloud', source: 'address' } as const;
    assert.deepEqual(placeAfterProbe(declared, { backend: 'litellm' }), declared);
    assert.deepEqual(placeAfterProbe(far, { backend: 'bifrost' }), far);
  });
});

describe('modelLocality', () => {
  const near = { locality: 'local', source: 'address' } as const;
  const plain = { id: 'qwen3:8b', remoteHost: null };

  it('follows the endpoint', () => {
    assert.equal(modelLocality(near, plain), 'local');
    assert.equal(modelLocality({ locality: 'rented', source: 'declared' }, plain), 'rented');
  });

  it('a model that the server passes on runs in a cloud, whatever is declared', () => {
    const passedOn = { id: 'x', remoteHost: 'https://ollama.com' };
    assert.equal(modelLocality(near, passedOn), 'cloud');
    assert.equal(modelLocality({ locality: 'local', source: 'declared' }, passedOn), 'cloud');
  });

  for (const id of ['kimi-k2:cloud', 'gpt-oss:120b-cloud', 'glm:CLOUD']) {
    it(`${id} is unknown, unless the place is declared`, () => {
      assert.equal(modelLocality(near, { id, remoteHost: null }), 'unknown');
      assert.equal(
        modelLocality({ locality: 'local', source: 'declared' }, { id, remoteHost: null }),
        'local',
      );
      assert.equal(
        modelLocality({ locality: 'cloud', source: 'address' }, { id, remoteHost: null }),
        'cloud',
      );
    });
  }
});
