import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { BridgeError } from '../../../src/base/bridgeError.ts';
import { adHocEndpoint } from '../../../src/bridge/adHocEndpoint.ts';
import { adHocName, isAdHocName } from '../../../src/bridge/adHocName.ts';
import { nameSchema } from '../../../src/config/schemaParts.ts';

const options = { allowedHosts: [], lookup: async () => ['93.184.216.34'] };

describe('adHocEndpoint', () => {
  /** Address, model, format of the call, then base address and format that come of it. */
  const table: [string, string, 'anthropic' | 'openai' | null, string, string][] = [
    ['http://h/v1/messages', 'glm-5', null, 'http://h', 'anthropic'],
    ['http://h/v1/messages/', 'gpt-5', null, 'http://h', 'anthropic'],
    ['http://h/v1/messages?x=1#y', 'm', 'openai', 'http://h', 'anthropic'],
    ['http://h:81', 'glm-5', null, 'http://h:81', 'auto'],
    ['http://h', 'deepseek-v4', null, 'http://h', 'openai'],
    ['http://h/v1', 'GPT-6', null, 'http://h', 'openai'],
    ['http://h', 'deepseek-v4', 'anthropic', 'http://h', 'anthropic'],
    ['http://h/v1/', 'm', 'openai', 'http://h', 'openai'],
    [
      'https://openrouter.ai/api/v1/chat/completions',
      'anthropic/claude',
      null,
      'https://openrouter.ai/api',
      'openai',
    ],
    [
      'https://api.z.ai/api/anthropic/v1/messages',
      'glm-5',
      null,
      'https://api.z.ai/api/anthropic',
      'anthropic',
    ],
    ['https://api.x/anthropic', 'deepseek-v4', null, 'https://api.x/anthropic', 'anthropic'],
    ['http://h/v1beta/x', 'm', null, 'http://h/v1beta/x', 'auto'],
  ];
  for (const [url, model, format, base, expected] of table) {
    it(`${url} with ${model}${format === null ? '' : ` as ${format}`}: ${expected} at ${base}`, async () => {
      const { entry } = await adHocEndpoint(
        { url, model, ...(format === null ? {} : { format }) },
        null,
        options,
      );
      assert.deepEqual([entry.base_url, entry.format], [base, expected]);
    });
  }

  for (const url of ['http://h/api/paas/v4/chat/completions', 'http://h/messages']) {
    it(`${url} is refused, not asked at another address`, async () => {
      await assert.rejects(adHocEndpoint({ url, model: 'm' }, null, options), (error) =>
        BridgeError.is(error, 'bad_argument'),
      );
    });
  }

  it('holds the key that was given, or its reference', async () => {
    const at = { url: 'http://h', model: 'm', apiKey: '${env:KEY}' };
    assert.equal((await adHocEndpoint(at, null, options)).entry.api_key, '${env:KEY}');
    assert.equal((await adHocEndpoint(at, 'sk-1', options)).entry.api_key, 'sk-1');
  });

  it('has a name that is no name of models.yaml, and another one for another address', () => {
    const url = fc.webUrl({ withQueryParameters: true }).map((text) => new URL(text));
    fc.assert(
      fc.property(url, url, (one, other) => {
        assert.ok(isAdHocName(adHocName(one)));
        assert.equal(nameSchema.safeParse(adHocName(one)).success, false);
        if (one.origin !== other.origin) assert.notEqual(adHocName(one), adHocName(other));
      }),
    );
  });
});
