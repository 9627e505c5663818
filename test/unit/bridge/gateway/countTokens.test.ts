import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { countTokens } from '../../../../src/bridge/gateway/countTokens.ts';

const BODY = {
  system: [{ type: 'text', text: 'sys' }],
  tools: [{ name: 'T' }],
  messages: [
    { role: 'user', content: 'one' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'T', input: { x: 1 } }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'two' }] },
      ],
    },
  ],
};

describe('countTokens', () => {
  it('asks the tokenizer about all text of the prompt', async () => {
    let asked = '';
    const counted = await countTokens(BODY, async (text) => ((asked = text), 42));
    assert.deepEqual(counted, { inputTokens: 42, source: 'tokenizer' });
    for (const part of ['sys', '"name":"T"', 'one', '"x":1', 'two'])
      assert.ok(asked.includes(part), part);
  });

  const estimates: { name: string; body: Record<string, unknown>; tokens: number }[] = [
    {
      name: '3.6 characters a token',
      body: { messages: [{ role: 'user', content: 'x'.repeat(3600) }] },
      tokens: 1000,
    },
    { name: 'nothing is one token', body: {}, tokens: 1 },
    {
      name: 'odd bodies',
      body: { system: 7, tools: {}, messages: [null, 'x', { content: [null] }] },
      tokens: 2,
    },
    {
      name: 'images by number, not by their text',
      body: {
        messages: [
          { role: 'user', content: [{ type: 'image', source: { data: 'x'.repeat(99_999) } }] },
        ],
      },
      tokens: 1501 - 1,
    },
  ];
  for (const { name, body, tokens } of estimates) {
    it(`estimates: ${name}`, async () => {
      assert.deepEqual(await countTokens(body, null), { inputTokens: tokens, source: 'estimate' });
    });
  }

  it('estimates when the tokenizer cannot', async () => {
    assert.equal((await countTokens(BODY, async () => null)).source, 'estimate');
  });
});
