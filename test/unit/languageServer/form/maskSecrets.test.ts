import { describe, it } from 'mocha';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { maskSecrets, redactUnreadable } from '../../../../src/languageServer/form/maskSecrets.ts';
import { MASKED } from '../../../../src/protocol/modelsLanguage/formState.ts';

const KEY = 'sk-veryverysecret-0123';

/** Where a key may stand, right or wrong, and what the page gets. */
const HIDDEN: readonly (readonly [place: string, data: unknown, masked: unknown])[] = [
  ['a key', { endpoints: { a: { api_key: KEY } } }, { endpoints: { a: { api_key: MASKED } } }],
  [
    'keys by model',
    { endpoints: { a: { api_key: { 'glm-*': KEY, x: '${env:X}' } } } },
    { endpoints: { a: { api_key: { 'glm-*': MASKED, x: '${env:X}' } } } },
  ],
  [
    'a key of digits',
    { endpoints: { a: { api_key: 123456 } } },
    { endpoints: { a: { api_key: MASKED } } },
  ],
  [
    'a list in the place of a key',
    { endpoints: { a: { api_key: [KEY, { b: KEY }] } } },
    { endpoints: { a: { api_key: [MASKED, { b: MASKED }] } } },
  ],
  [
    'half a reference',
    { endpoints: { a: { api_key: `\${env:A}${KEY}` } } },
    { endpoints: { a: { api_key: MASKED } } },
  ],
  [
    'a header',
    { endpoints: { a: { headers: { Authorization: `Bearer ${KEY}`, 'X-Team': 'blue' } } } },
    { endpoints: { a: { headers: { Authorization: MASKED, 'X-Team': 'blue' } } } },
  ],
  [
    'a header whose name tells nothing',
    { endpoints: { a: { headers: { 'X-Team': KEY } } } },
    { endpoints: { a: { headers: { 'X-Team': MASKED } } } },
  ],
  [
    'a variable',
    { endpoints: { a: { env: { MY_TOKEN: KEY, LANG: 'C' } } } },
    { endpoints: { a: { env: { MY_TOKEN: MASKED, LANG: 'C' } } } },
  ],
  [
    'the password of a proxy',
    { endpoints: { a: { proxy: 'http://me:hunter2@proxy:3128/x' } } },
    { endpoints: { a: { proxy: `http://me:${MASKED}@proxy:3128/x` } } },
  ],
  [
    'the password of an address',
    { endpoints: { a: { base_url: 'https://:hunter2@host' } } },
    { endpoints: { a: { base_url: `https://:${MASKED}@host` } } },
  ],
  [
    'the password of an address in a wrong place',
    { notes: ['see http://x', 'http://me:hunter2@host'] },
    { notes: ['see http://x', `http://me:${MASKED}@host`] },
  ],
  ['the token of the router', { router: { token: KEY } }, { router: { token: MASKED } }],
  [
    'a misspelt key',
    { endpoints: { a: { apikey: KEY, secret: { deep: KEY } } } },
    { endpoints: { a: { apikey: MASKED, secret: { deep: MASKED } } } },
  ],
  ['a key in a wrong place', { runners: { api_key: KEY } }, { runners: { api_key: MASKED } }],
];

const SHOWN: readonly unknown[] = [
  { endpoints: { a: { api_key: '${secret:a}', headers: { Authorization: 'Bearer ${env:K}' } } } },
  { endpoints: { a: { api_key: '' }, b: { api_key: 'ollama' }, c: { api_key: null } } },
  { models: { m: { max_tokens: 65_536, max_tokens_cap: 131_072 } }, secrets: 'file' },
  { runners: { loop: { max_tokens: 4096 } }, router: { token: '${secret:router}' } },
  { endpoints: { token: { base_url: 'http://127.0.0.1:1', notes: 'the key is in the vault' } } },
  { failover: { chains: { 'secret-model': ['key-model'] } }, pools: { 'token-': { slots: 2 } } },
  { endpoints: { a: { base_url: 'http://127.0.0.1:8080/?a:b@c' } } },
];

describe('what a form is told of keys', () => {
  for (const [place, data, masked] of HIDDEN)
    it(`hides ${place}`, () => assert.deepEqual(maskSecrets(data).data, masked));

  for (const data of SHOWN)
    it(`shows ${JSON.stringify(data)}`, () => assert.deepEqual(maskSecrets(data).data, data));

  it('hides them in messages as well', () => {
    const { redact } = maskSecrets({ endpoints: { a: { api_key: KEY, backend: KEY } } });
    assert.equal(redact(`"backend" is the text "${KEY}"`), `"backend" is the text "${MASKED}"`);
    const quoted = maskSecrets({ endpoints: { a: { api_key: 'a"b\\c' } } }).redact;
    assert.equal(quoted(String.raw`the text "a\"b\\c"`), `the text "${MASKED}"`);
  });

  it('hides them in messages about a text that is no YAML', () => {
    const redact = redactUnreadable(
      `endpoints:\n  a: { api_key: ${KEY}\n  token: "x y z"  # note\n`,
    );
    assert.equal(redact(`Unexpected ${KEY} and x y z`).includes('secret'), false);
    assert.equal(redact('and x y z'), `and ${MASKED}`);
  });

  it('gives JSON for whatever YAML can hold, and never throws', () => {
    const value = fc.anything({ withBigInt: true, withDate: true, withTypedArray: true });
    fc.assert(
      fc.property(value, (data) => {
        const { data: masked } = maskSecrets(data);
        assert.deepEqual(JSON.parse(JSON.stringify(masked)), masked);
      }),
    );
  });

  it('hides a key wherever it is put under a name that tells', () => {
    const names = fc.constantFrom('api_key', 'password', 'x-secret', 'client_token');
    const path = fc.array(fc.constantFrom('a', 'b', 'headers', 'env'), { maxLength: 4 });
    fc.assert(
      fc.property(path, names, (at, name) => {
        const data = at.reduceRight<unknown>((inner, key) => ({ [key]: inner }), { [name]: KEY });
        const text = JSON.stringify(maskSecrets({ endpoints: { it: data } }).data);
        assert.equal(text.includes(KEY), false, text);
      }),
    );
  });
});
