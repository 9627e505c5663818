import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { ThinkSplitter } from '../../../../../../src/bridge/runners/loop/wire/thinkSplitter.ts';
import { readStream } from './readStream.ts';

/** Values where a server may put anything. */
const anyValue = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom('', 'a', '{"x":1}', '<think>', '</think>', 0, -1, 1, null, [], {}),
);
/** An object whose fields are often missing, and often not what they should be. */
function loose(fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> {
  const entries = Object.entries(fields).map(
    ([key, value]) => [key, fc.oneof({ weight: 4, arbitrary: value }, anyValue)] as const,
  );
  return fc.record(Object.fromEntries(entries), { requiredKeys: [] });
}
const index = fc.constantFrom(0, 1, 2);
const text = fc.constantFrom('', 'a', ' <think>b', 'c</think>', '{"x"', ':1}', '\n');
const call = loose({
  index,
  id: fc.constantFrom('1', '2', ''),
  function: loose({ name: fc.constantFrom('f', 'g', ''), arguments: text }),
});
const chunk = loose({
  model: fc.constantFrom('m', ''),
  choices: fc.array(
    loose({
      delta: loose({
        content: text,
        reasoning: text,
        tool_calls: fc.array(call, { maxLength: 2 }),
      }),
      finish_reason: fc.constantFrom('stop', 'length', 'tool_calls', null),
    }),
    { maxLength: 2 },
  ),
  usage: loose({ prompt_tokens: fc.nat(9), completion_tokens: fc.nat(9) }),
});
const block = loose({
  type: fc.constantFrom('text', 'thinking', 'tool_use', 'redacted_thinking', 'other'),
  text,
  thinking: text,
  id: text,
  name: text,
  input: fc.constantFrom({}, { x: 1 }),
});
const event = fc.oneof(
  loose({ type: fc.constant('content_block_start'), index, content_block: block }),
  loose({
    type: fc.constant('content_block_delta'),
    index,
    delta: loose({
      type: fc.constantFrom('text_delta', 'thinking_delta', 'input_json_delta', 'signature_delta'),
      text,
      thinking: text,
      partial_json: text,
      signature: text,
    }),
  }),
  loose({ type: fc.constant('content_block_stop'), index }),
  loose({
    type: fc.constantFrom('message_start', 'message_delta', 'message_stop', 'ping', 'message'),
    message: loose({ model: text, content: fc.array(block, { maxLength: 2 }) }),
    delta: loose({ stop_reason: fc.constantFrom('end_turn', 'tool_use', 'max_tokens') }),
    content: fc.array(block, { maxLength: 2 }),
    usage: loose({ input_tokens: fc.nat(9), output_tokens: fc.nat(9) }),
  }),
);

describe('the readers hold against', () => {
  for (const [format, piece] of [
    ['openai', chunk],
    ['anthropic', event],
  ] as const) {
    it(`any events (${format}): no throw, nothing blank, nothing told twice, the same in pieces`, () => {
      fc.assert(
        fc.property(fc.array(piece, { maxLength: 12 }), fc.boolean(), (pieces, isDocument) => {
          const sent = isDocument
            ? JSON.stringify(pieces[0] ?? {})
            : pieces.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('');
          const bytes = Buffer.from(sent);
          const whole = readStream(format, [bytes]);
          const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
          assert.deepEqual(readStream(format, single), whole);
          assert.ok(whole.firstTokens <= 1);
          if ('what' in whole.answer) return;
          const { blocks, stopReason, rawStopReason, usage } = whole.answer;
          assert.ok(blocks.length > 0 || rawStopReason !== null);
          if (rawStopReason === null) assert.equal(stopReason, 'unknown');
          for (const found of blocks) {
            if (found.type === 'text') assert.notEqual(found.text.trim(), '');
            if (found.type === 'thinking') assert.ok(found.text !== '' || found.signature !== null);
            if (found.type !== 'tool_call') continue;
            assert.notEqual(found.id, '');
            assert.ok(found.input === null || typeof found.input === 'object');
          }
          for (const count of Object.values(usage)) assert.ok(count === null || count >= 0);
        }),
        { numRuns: 500 },
      );
    });
  }

  it('any bytes: no throw, the same however they are cut', () => {
    const part = fc.oneof(
      fc.uint8Array(),
      fc
        .constantFrom('data: ', '\n\n', '\r\n', '{"choices":[{"delta":{"content":"é', '"}}]}', ':')
        .map((said) => Buffer.from(said)),
    );
    fc.assert(
      fc.property(fc.array(part), fc.constantFrom('text/event-stream', ''), (parts, type) => {
        const whole = readStream('openai', [Buffer.concat(parts)], type);
        assert.deepEqual(readStream('openai', parts, type), whole);
      }),
    );
  });
});

describe('ThinkSplitter', () => {
  /** What the head of a whole text is, looked at at once. */
  function split(whole: string): [thinking: string, said: string] {
    const open = /^\s*<think(ing)?>/.exec(whole);
    if (open === null) return ['', whole];
    const closing = `</think${open[1] ?? ''}>`;
    const inner = whole.slice(open[0].length);
    const end = inner.indexOf(closing);
    return end < 0
      ? [inner, '']
      : [inner.slice(0, end), inner.slice(end + closing.length).trimStart()];
  }

  it('takes the same from pieces as from the whole', () => {
    const part = fc.constantFrom(
      ...[
        '<think>',
        '</think>',
        '<thinking>',
        '</thinking>',
        '<',
        '</',
        'th',
        'ink',
        '>',
        ' ',
        '\n',
        'a',
      ],
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 10 }), (parts) => {
        let [thinking, said] = ['', ''];
        const splitter = new ThinkSplitter((kind, piece) => {
          if (kind === 'thinking') thinking += piece;
          else said += piece;
        });
        for (const piece of parts) splitter.push(piece);
        splitter.end();
        assert.deepEqual([thinking, said], split(parts.join('')));
      }),
      { numRuns: 2000 },
    );
  });
});
