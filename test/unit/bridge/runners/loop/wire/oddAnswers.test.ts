import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import type { WireFormat } from '../../../../../../src/bridge/endpoints/endpointTarget.ts';
import type {
  AssistantBlock,
  ToolCallBlock,
} from '../../../../../../src/bridge/runners/loop/history.ts';
import type { StopReason } from '../../../../../../src/bridge/runners/loop/wire/turnTypes.ts';
import { chatStream, messagesStream, readAnswer, readStream } from './readStream.ts';

/** Blocks as short lines: `text:…`, `thinking:…`, `name(input)`. */
function lines(blocks: readonly AssistantBlock[]): string[] {
  return blocks.map((block) =>
    block.type === 'tool_call'
      ? `${block.name}(${block.input === null ? 'not readable' : JSON.stringify(block.input)})`
      : `${block.type}:${block.text}`,
  );
}

function calls(format: WireFormat, text: string): ToolCallBlock[] {
  return readAnswer(format, text).blocks.filter((block) => block.type === 'tool_call');
}

const fn = (name: string | undefined, args: unknown, rest: object = {}): object => ({
  ...rest,
  function: { ...(name === undefined ? {} : { name }), arguments: args },
});
const toolCalls = (...fragments: readonly object[]): object => ({ tool_calls: fragments });
interface Event {
  readonly type: string;
  readonly [key: string]: unknown;
}
const start = (index: number | undefined, content_block: object): Event => ({
  type: 'content_block_start',
  ...(index === undefined ? {} : { index }),
  content_block,
});
const delta = (index: number | undefined, part: object): Event => ({
  type: 'content_block_delta',
  ...(index === undefined ? {} : { index }),
  delta: part,
});
const textDelta = (index: number | undefined, text: string): Event =>
  delta(index, { type: 'text_delta', text });
const jsonDelta = (index: number | undefined, partial_json: unknown): Event =>
  delta(index, { type: 'input_json_delta', partial_json });
const tool = (name: string, rest: object = {}): object => ({
  type: 'tool_use',
  id: `id-${name}`,
  name,
  ...rest,
});

describe('odd answers of chat completions', () => {
  const table: { name: string; deltas: readonly object[]; end?: string | null; reads: string[] }[] =
    [
      {
        name: 'parallel calls without an index, told apart by id',
        deltas: [
          toolCalls(fn('a', '{"x"', { id: '1' })),
          toolCalls(fn('b', '{"y"', { id: '2' })),
          toolCalls(fn(undefined, ':1}', { id: '1' })),
          toolCalls(fn(undefined, ':2}', { id: '2' })),
        ],
        reads: ['a({"x":1})', 'b({"y":2})'],
      },
      {
        name: 'calls in one list with neither index nor id',
        deltas: [toolCalls(fn('a', '{}'), fn('a', '{"x":1}'))],
        reads: ['a({})', 'a({"x":1})'],
      },
      {
        name: 'calls one after the other with neither index nor id',
        deltas: [
          toolCalls(fn('a', '{"x"')),
          toolCalls(fn(undefined, ':1}')),
          toolCalls(fn('b', '{}')),
        ],
        reads: ['a({"x":1})', 'b({})'],
      },
      {
        name: 'a name that comes late',
        deltas: [
          toolCalls(fn(undefined, '{"x"', { index: 0, id: '1' })),
          toolCalls(fn('a', ':1}', { index: 0 })),
        ],
        reads: ['a({"x":1})'],
      },
      {
        name: 'a late name without an index',
        deltas: [toolCalls(fn(undefined, '{"x"', { id: '1' })), toolCalls(fn('a', ':1}'))],
        reads: ['a({"x":1})'],
      },
      {
        name: 'a name in every fragment',
        deltas: [
          toolCalls(fn('read_file', '{"x"', { index: 0, id: '1' })),
          toolCalls(fn('read_file', ':1}', { index: 0, id: '1' })),
        ],
        reads: ['read_file({"x":1})'],
      },
      {
        name: 'a name in pieces',
        deltas: [
          toolCalls(fn('read_', '', { index: 0, id: '1' })),
          toolCalls(fn('file', '{}', { index: 0 })),
        ],
        reads: ['read_file({})'],
      },
      {
        name: 'a new id in every fragment without a name',
        deltas: [
          toolCalls(fn('a', '{"x"', { index: 0, id: '1' })),
          toolCalls(fn(undefined, ':1}', { index: 0, id: '2' })),
        ],
        reads: ['a({"x":1})'],
      },
      {
        name: 'a new id in every fragment without a name or an index',
        deltas: [
          toolCalls(fn('a', '{"x"', { id: '1' })),
          toolCalls(fn(undefined, ':1}', { id: '2' })),
        ],
        reads: ['a({"x":1})'],
      },
      {
        name: 'calls that share an index',
        deltas: [
          toolCalls(fn('a', '{"x":1}', { index: 0, id: '1' })),
          toolCalls(fn('a', '{"x":2}', { index: 0, id: '2' })),
        ],
        reads: ['a({"x":1})', 'a({"x":2})'],
      },
      {
        name: 'calls that share an index and have no id',
        deltas: [
          toolCalls(fn('a', '{"x":1}', { index: 0 })),
          toolCalls(fn('b', '{"x":2}', { index: 0 })),
        ],
        reads: ['a({"x":1})', 'b({"x":2})'],
      },
      {
        name: 'an index that comes out of order',
        deltas: [
          toolCalls(fn('b', '{}', { index: 1, id: '2' })),
          toolCalls(fn('a', '{}', { index: 0, id: '1' })),
        ],
        reads: ['a({})', 'b({})'],
      },
      {
        name: 'arguments that are an object already',
        deltas: [toolCalls(fn('a', { x: { y: 1 } }, { index: 0, id: '1' }))],
        reads: ['a({"x":{"y":1}})'],
      },
      {
        name: 'arguments written as a text within a text',
        deltas: [toolCalls(fn('a', JSON.stringify('{"x":1}'), { index: 0, id: '1' }))],
        reads: ['a({"x":1})'],
      },
      {
        name: 'no arguments at all, null or empty',
        deltas: [
          toolCalls({ index: 0, id: '1', function: { name: 'a' } }),
          toolCalls(fn('b', null, { index: 1, id: '2' })),
          toolCalls(fn('c', '', { index: 2, id: '3' })),
          toolCalls(fn('d', 'null', { index: 3, id: '4' })),
        ],
        end: 'tool_calls',
        reads: ['a({})', 'b({})', 'c({})', 'd({})'],
      },
      {
        name: 'arguments that are no object',
        deltas: [
          toolCalls(fn('a', '[1]', { index: 0, id: '1' })),
          toolCalls(fn('b', '"x"', { index: 1, id: '2' })),
          toolCalls(fn('c', '{"x":', { index: 2, id: '3' })),
          toolCalls(fn('d', '{x: 1}', { index: 3, id: '4' })),
        ],
        reads: ['a(not readable)', 'b(not readable)', 'c(not readable)', 'd(not readable)'],
      },
      {
        name: 'a call that the output limit cut off before its arguments',
        deltas: [toolCalls(fn('a', '', { index: 0, id: '1' }))],
        end: 'length',
        reads: ['a(not readable)'],
      },
      {
        name: 'the function call of the old form',
        deltas: [
          { function_call: { name: 'a', arguments: '{"x"' } },
          { function_call: { arguments: ':1}' } },
        ],
        end: 'function_call',
        reads: ['a({"x":1})'],
      },
      {
        name: 'content as an array',
        deltas: [{ content: [{ type: 'text', text: 'Hel' }] }, { content: ['lo', null, 7] }],
        reads: ['text:Hello'],
      },
      {
        name: 'the same reasoning under both names',
        deltas: [{ reasoning: 'Hm.', reasoning_content: 'Hm.' }, { content: 'Yes.' }],
        reads: ['thinking:Hm.', 'text:Yes.'],
      },
      {
        name: 'reasoning that comes after the text',
        deltas: [{ content: 'Yes.' }, { reasoning: 'Hm.' }],
        reads: ['thinking:Hm.', 'text:Yes.'],
      },
      {
        name: 'thinking left in the text',
        deltas: [{ content: ' <think' }, { content: 'ing>a</think' }, { content: 'ing> b' }],
        reads: ['thinking:a', 'text:b'],
      },
      {
        name: 'thinking that never ends',
        deltas: [{ content: '<think>a </thin' }],
        end: 'length',
        reads: ['thinking:a </thin'],
      },
      {
        name: 'thinking whose opening tag is in the prompt',
        deltas: [{ content: 'Let me see.\n</think>\n\nYes.' }],
        reads: ['thinking:Let me see.', 'text:Yes.'],
      },
      {
        name: 'a text that speaks of the tag',
        deltas: [{ content: 'The tag </think> ends it; <think> begins it.' }],
        reads: ['text:The tag </think> ends it; <think> begins it.'],
      },
      {
        name: 'a text that shows both tags on lines of their own',
        deltas: [{ content: 'So:\n<think>\na\n</think>\nDone.' }],
        reads: ['text:So:\n<think>\na\n</think>\nDone.'],
      },
      {
        name: 'a text that begins like the tag',
        deltas: [{ content: '<thi' }, { content: 'rd>' }],
        reads: ['text:<third>'],
      },
      {
        name: 'blank text beside a call',
        deltas: [{ content: '\n\n' }, toolCalls(fn('a', '{}', { index: 0, id: '1' }))],
        reads: ['a({})'],
      },
      { name: 'nothing but an end', deltas: [], reads: [] },
      {
        name: 'fields that are not what they should be',
        deltas: [
          { content: 7, tool_calls: 'x', reasoning: {}, function_call: [] },
          { content: 'a' },
        ],
        reads: ['text:a'],
      },
    ];
  for (const { name, deltas, end, reads } of table) {
    it(name, () => {
      assert.deepEqual(lines(readAnswer('openai', chatStream(deltas, end)).blocks), reads);
    });
  }

  it('a name in each of many fragments takes no time that grows with their square', () => {
    const piece = (args: string): object => toolCalls(fn('a', args, { index: 0 }));
    const many = Array.from({ length: 20_000 }, () => piece('words of it '));
    const startedMs = performance.now();
    const [call] = calls(
      'openai',
      chatStream([piece('{"x":"'), ...many, piece('"} '), piece(' ')]),
    );
    assert.equal(String(call?.input?.['x']).length, 240_000);
    // 10 s and more when each fragment parses all before it.
    assert.ok(performance.now() - startedMs < 5000);
  });

  it('ids that are missing are made, the same each time, and differ within an answer', () => {
    const stream = chatStream([toolCalls(fn('a', '{}'), fn('a', '{}'))]);
    const ids = calls('openai', stream).map(({ id }) => id);
    assert.match(ids.join(' '), /^call_\w{16} call_\w{16}$/);
    assert.equal(new Set(ids).size, 2);
    assert.deepEqual(
      calls('openai', stream).map(({ id }) => id),
      ids,
    );
  });

  it('what came as arguments is kept as it came', () => {
    const [call] = calls('openai', chatStream([toolCalls(fn('a', '{"x": [1'))], 'length'));
    assert.deepEqual([call?.input, call?.rawInput], [null, '{"x": [1']);
  });
});

describe('odd answers of the Messages API', () => {
  const table: {
    name: string;
    events: readonly Event[];
    end?: string | null;
    reads: string[];
  }[] = [
    {
      name: 'no index',
      events: [
        start(undefined, { type: 'text', text: '' }),
        textDelta(undefined, 'a'),
        start(undefined, tool('f')),
        jsonDelta(undefined, '{"x":1}'),
      ],
      reads: ['text:a', 'f({"x":1})'],
    },
    {
      name: 'deltas of blocks that nobody opened',
      events: [
        delta(0, { type: 'thinking_delta', thinking: 'hm' }),
        textDelta(1, 'a'),
        textDelta(1, 'b'),
      ],
      reads: ['thinking:hm', 'text:ab'],
    },
    {
      name: 'blocks that share an index',
      events: [
        start(0, { type: 'text', text: '' }),
        textDelta(0, 'a'),
        start(0, tool('f')),
        jsonDelta(0, '{}'),
        start(0, tool('g')),
        jsonDelta(0, '{"x":1}'),
      ],
      reads: ['text:a', 'f({})', 'g({"x":1})'],
    },
    {
      name: 'an index that is missing only sometimes',
      events: [
        start(0, { type: 'text', text: 'a' }),
        start(1, tool('f', { input: { x: 1 } })),
        start(undefined, tool('g', { input: { y: 2 } })),
      ],
      reads: ['text:a', 'f({"x":1})', 'g({"y":2})'],
    },
    {
      name: 'blocks out of order, with gaps',
      events: [
        start(5, tool('f')),
        start(2, { type: 'text', text: 'a' }),
        jsonDelta(5, '{"x":1}'),
        textDelta(2, 'b'),
      ],
      reads: ['text:ab', 'f({"x":1})'],
    },
    {
      name: 'an input that comes whole with the start',
      events: [start(0, tool('f', { input: { x: 1 } })), start(1, tool('g', { input: '{"y":2}' }))],
      reads: ['f({"x":1})', 'g({"y":2})'],
    },
    {
      name: 'an input in pieces after a placeholder',
      events: [start(0, tool('f', { input: {} })), jsonDelta(0, '{"x"'), jsonDelta(0, ':1}')],
      reads: ['f({"x":1})'],
    },
    {
      name: 'a piece of input that is an object',
      events: [start(0, tool('f')), jsonDelta(0, { x: 1 })],
      reads: ['f({"x":1})'],
    },
    {
      name: 'a call without parameters',
      events: [start(0, tool('f', { input: {} })), { type: 'content_block_stop', index: 0 }],
      end: 'tool_use',
      reads: ['f({})'],
    },
    {
      name: 'input that breaks off',
      events: [start(0, tool('f')), jsonDelta(0, '{"path": "a'), jsonDelta(0, null)],
      end: 'max_tokens',
      reads: ['f(not readable)'],
    },
    {
      name: 'a call that the output limit cut off before its input',
      events: [start(0, tool('f', { input: {} }))],
      end: 'max_tokens',
      reads: ['f(not readable)'],
    },
    {
      name: 'blocks of kinds that are not ours',
      events: [
        start(0, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }),
        jsonDelta(0, '{"query":"x"}'),
        start(1, { type: 'web_search_tool_result', content: [] }),
        start(2, { type: 'text', text: 'a' }),
      ],
      reads: ['text:a'],
    },
    {
      name: 'thinking left in the first text, but not in a later one',
      events: [
        start(0, { type: 'text', text: '' }),
        textDelta(0, '<think>\na\n</think>\n\nb'),
        start(1, { type: 'text', text: '<think>c</think>d' }),
      ],
      reads: ['thinking:a', 'text:b', 'text:<think>c</think>d'],
    },
    {
      name: 'thinking left in the text after an empty text and thinking under the same index',
      events: [
        start(0, { type: 'text', text: '' }),
        delta(0, { type: 'thinking_delta', thinking: 'hm' }),
        textDelta(0, '<think>a</think>b'),
      ],
      reads: ['thinking:hm', 'thinking:a', 'text:b'],
    },
    {
      name: 'events and fields that are not what they should be',
      events: [
        { type: 'content_block_start' },
        { type: 'content_block_delta' },
        { type: 'content_block_stop' },
        { type: 'unheard_of' },
        start(0, { type: 'text', text: null }),
        delta(0, { type: 'text_delta', text: 7 }),
        delta(0, { type: 'unheard_of' }),
        textDelta(0, 'a'),
      ],
      reads: ['text:a'],
    },
  ];
  for (const { name, events, end, reads } of table) {
    it(name, () => {
      assert.deepEqual(lines(readAnswer('anthropic', messagesStream(events, end)).blocks), reads);
    });
  }

  it('a signature is kept, an empty one is none', () => {
    const signed = (signature: string) =>
      readAnswer(
        'anthropic',
        messagesStream([
          start(0, { type: 'thinking', thinking: 'hm', signature: '' }),
          delta(0, { type: 'signature_delta', signature }),
        ]),
      ).blocks;
    const block = { type: 'thinking', text: 'hm', isRedacted: false };
    assert.deepEqual(signed('abc'), [{ ...block, signature: 'abc' }]);
    assert.deepEqual(signed(''), [{ ...block, signature: null }]);
  });
});

describe('answers that are one document though a stream was asked for', () => {
  const recorded = (name: string): string =>
    readFileSync(`test/fixtures/endpoints/llama-server/${name}`, 'utf8');

  it('of chat completions, as recorded', () => {
    const answer = readAnswer('openai', recorded('chat-completions.json'), 'application/json');
    assert.deepEqual(answer, {
      blocks: [{ type: 'text', text: 'Italian Cheryl uppercase trailers⤄' }],
      stopReason: 'max_tokens',
      rawStopReason: 'length',
      usage: { input: 6, output: 5, cacheRead: 3, cacheWrite: null },
      modelServed: 'tiny-qwen',
    });
  });

  it('of the Messages API, as recorded', () => {
    const answer = readAnswer('anthropic', recorded('v1-messages.json'), 'application/json');
    assert.deepEqual(answer, {
      blocks: [
        {
          type: 'text',
          text: "颜.Controlleraed'vejar.masks(Void🏊 plagued recordings Chips少なく",
        },
      ],
      stopReason: 'max_tokens',
      rawStopReason: 'max_tokens',
      usage: { input: 9, output: 12, cacheRead: 0, cacheWrite: null },
      modelServed: 'tiny-qwen',
    });
  });

  const chat = (message: object, finish_reason: string) => ({
    choices: [{ message, finish_reason }],
  });
  const table: { name: string; format: WireFormat; document: object; reads: string[] }[] = [
    {
      name: 'thinking, text and calls without index or id',
      format: 'openai',
      document: chat(
        {
          reasoning: 'hm',
          content: 'a',
          tool_calls: [fn('f', '{"x":1}'), fn('f', { x: 2 }), fn('g', '')],
        },
        'tool_calls',
      ),
      reads: ['thinking:hm', 'text:a', 'f({"x":1})', 'f({"x":2})', 'g({})'],
    },
    {
      name: 'every kind of block',
      format: 'anthropic',
      document: {
        type: 'message',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 's' },
          { type: 'text', text: 'a' },
          tool('f', { input: { x: 1 } }),
          tool('g', { input: {} }),
          tool('h', { input: '{"x":' }),
        ],
        stop_reason: 'tool_use',
      },
      reads: ['thinking:hm', 'text:a', 'f({"x":1})', 'g({})', 'h(not readable)'],
    },
    {
      name: 'content as a text, and no type',
      format: 'anthropic',
      document: { content: 'a', stop_reason: 'end_turn' },
      reads: ['text:a'],
    },
  ];
  for (const { name, format, document, reads } of table) {
    for (const type of ['application/json', 'text/event-stream', '']) {
      it(`${name} (${format}, content type ${type || 'missing'})`, () => {
        const text = JSON.stringify(document, null, 1);
        assert.deepEqual(lines(readAnswer(format, text, type).blocks), reads);
      });
    }
  }
});

describe('the end of an answer', () => {
  const text = { content: 'a' };
  const call = toolCalls(fn('f', '{}', { index: 0, id: '1' }));
  const table: [raw: string | null, delta: object, reads: StopReason][] = [
    ['stop', text, 'end_turn'],
    ['STOP', text, 'end_turn'],
    ['length', text, 'max_tokens'],
    ['content_filter', text, 'content_filter'],
    ['sensitive', text, 'content_filter'],
    ['tool_calls', call, 'tool_use'],
    ['stop', call, 'tool_use'],
    ['tool_calls', text, 'unknown'],
    ['length', call, 'max_tokens'],
    ['something new', text, 'unknown'],
    [null, text, 'unknown'],
    ['stop', { refusal: 'I will not.' }, 'content_filter'],
  ];
  for (const [raw, delta, reads] of table) {
    it(`${raw ?? 'none'} with ${Object.keys(delta).join()} is ${reads}`, () => {
      const answer = readAnswer('openai', chatStream([delta], raw));
      assert.deepEqual([answer.stopReason, answer.rawStopReason], [reads, raw]);
    });
  }
  for (const [raw, reads] of [
    ['end_turn', 'end_turn'],
    ['stop_sequence', 'end_turn'],
    ['max_tokens', 'max_tokens'],
    ['model_context_window_exceeded', 'max_tokens'],
    ['refusal', 'content_filter'],
    ['tool_use', 'unknown'],
    ['pause_turn', 'unknown'],
  ] as const) {
    it(`${raw} of the Messages API is ${reads}`, () => {
      const stream = messagesStream([start(0, { type: 'text', text: 'a' })], raw);
      assert.equal(readAnswer('anthropic', stream).stopReason, reads);
    });
  }

  for (const reason of ['network_error', 'insufficient_system_resource', 'abort', 'error']) {
    it(`finish_reason ${reason} is a failure`, () => {
      const { failure } = readStream('openai', [Buffer.from(chatStream([text], reason))]);
      assert.ok(failure !== null);
    });
  }
});

describe('what an answer says about itself', () => {
  const counted = (usage: object): string =>
    `${chatStream([{ content: 'a' }])}data: ${JSON.stringify({ choices: [], usage })}\n\n`;
  const table: [name: string, usage: object, reads: (number | null)[]][] = [
    ['cached tokens are not counted twice', prompt(100, 5, { cached_tokens: 60 }), [40, 5, 60]],
    ['more cached than asked is none left', prompt(10, 5, { cached_tokens: 60 }), [0, 5, 60]],
    ['counts of zero are unknown', prompt(0, 0, { cached_tokens: 0 }), [null, null, null]],
    ['counts that are none', { prompt_tokens: '5', completion_tokens: -1 }, [null, null, null]],
    ["DeepSeek's cache", { ...prompt(9, 5), prompt_cache_hit_tokens: 4 }, [5, 5, 4]],
    ["Moonshot's cache", { ...prompt(9, 5), cached_tokens: 4 }, [5, 5, 4]],
    [
      "LiteLLM's cache",
      { ...prompt(100, 5, { cached_tokens: 60 }), cache_creation_input_tokens: 30 },
      [10, 5, 60, 30],
    ],
    [
      "OpenRouter's cache",
      prompt(100, 5, { cached_tokens: 60, cache_write_tokens: 30 }),
      [10, 5, 60, 30],
    ],
    ['an answer without a prompt', { completion_tokens: 5 }, [null, 5, null]],
  ];
  function prompt(prompt_tokens: number, completion_tokens: number, details?: object): object {
    return {
      prompt_tokens,
      completion_tokens,
      ...(details === undefined ? {} : { prompt_tokens_details: details }),
    };
  }
  for (const [name, usage, reads] of table) {
    it(name, () => {
      const { input, output, cacheRead, cacheWrite } = readAnswer('openai', counted(usage)).usage;
      assert.deepEqual([input, output, cacheRead, cacheWrite], [...reads, null].slice(0, 4));
    });
  }

  it('later zeros do not undo a count', () => {
    const stream = counted(prompt(9, 5)) + counted(prompt(0, 0));
    assert.deepEqual(readAnswer('openai', stream).usage.input, 9);
  });

  it('a model in a chunk without choices counts, and the first one stays', () => {
    const first = 'data: {"model":"served","choices":[]}\n\n';
    assert.equal(
      readAnswer('openai', first + chatStream([{ content: 'a' }])).modelServed,
      'served',
    );
  });

  it('nobody names a model, nobody counts: unknown, and never zero', () => {
    const none = { input: null, output: null, cacheRead: null, cacheWrite: null };
    const chat = readAnswer('openai', 'data: {"choices":[{"delta":{"content":"a"}}]}\n\n');
    assert.deepEqual([chat.modelServed, chat.usage], [null, none]);
    const message = readAnswer(
      'anthropic',
      `data: ${JSON.stringify(start(0, { type: 'text', text: 'a' }))}\n\n`,
    );
    assert.deepEqual([message.modelServed, message.usage], [null, none]);
  });
});

describe('answers that are none', () => {
  const table: [name: string, sent: string, what: RegExp, mayPass: boolean][] = [
    ['nothing', '', /nothing at all/, true],
    ['blanks', ' \n\n', /nothing at all/, true],
    ['a web page', '<!doctype html><title>Sign\n in</title>', /web page \("Sign in"\)/, false],
    ['a page without a title', '<html></html>', /a web page$/, false],
    ['a plain text', 'Hello', /not JSON/, false],
    ['half a document', '{"choices":[{"mess', /breaks off/, true],
    ['a list', '[]', /JSON that is none$/, false],
    ['another document', '{"ok":true}', /JSON that is none$/, false],
    ["Z.ai's outer error", '{"code":1001,"msg":"No token","success":false}', /No token/, false],
    ['comments alone', ': ping\n\n: ping\n\n', /nothing in it/, true],
    ['an end without an answer', 'data: [DONE]\n\n', /nothing in it/, true],
    ['events that are not JSON', 'data: \n\ndata: b\n\ndata: {"a', /nothing in it/, true],
    [
      'a role alone',
      'data: {"choices":[{"delta":{"role":"assistant"}}]}\n\n',
      /nothing in it/,
      true,
    ],
  ];
  for (const format of ['anthropic', 'openai'] as const) {
    for (const [name, sent, what, mayPass] of table) {
      it(`${name} (${format}), cut anywhere`, () => {
        const bytes = Buffer.from(sent);
        for (let at = 0; at <= bytes.length; at += 1) {
          const { answer, failure } = readStream(
            format,
            [bytes.subarray(0, at), bytes.subarray(at)],
            '',
          );
          assert.equal(failure, null);
          assert.ok('what' in answer);
          assert.match(answer.what, what);
          assert.equal(answer.mayPass, mayPass);
        }
      });
    }
  }
});

describe('errors in place of an answer', () => {
  const table: [name: string, sent: string, message: unknown][] = [
    ['an object', 'data: {"error":{"message":"m","code":500}}\n\n', 'm'],
    ['a text', 'data: {"error":"m"}\n\n', 'm'],
    ['a named event', 'event: error\ndata: {"message":"m"}\n\n', 'm'],
    ['a named event that is not JSON', 'event: error\ndata: m\n\n', 'm'],
    ['a field of its own', 'error: {"message":"m","code":500}\n\n', 'm'],
    ['a document', '{"error":{"message":"m"}}', 'm'],
    ['of the Messages API', 'data: {"type":"error","error":{"message":"m"}}\n\n', 'm'],
    ['in a choice', 'data: {"choices":[{"error":{"message":"m"},"delta":{}}]}\n\n', 'm'],
  ];
  for (const [name, sent, message] of table) {
    it(name, () => {
      const { failure } = readStream('openai', [Buffer.from(sent)]);
      assert.equal((failure as { message: unknown }).message, message);
      if (name === 'in a choice') return;
      const other = readStream('anthropic', [Buffer.from(sent)]);
      assert.equal((other.failure as { message: unknown }).message, message);
    });
  }

  it('a broken piece of an answer, but not where the answer breaks off', () => {
    const broken = 'data: {"choices":[{"delta":{"content":"a"}}]\n\n';
    const rest = chatStream([{ content: 'b' }]);
    const read = (sent: string) => readStream('openai', [Buffer.from(sent)]);
    assert.ok(read(broken + rest).failure !== null);
    assert.ok(read(rest.replaceAll('\n\n', `\n\n${broken}`)).failure !== null);
    assert.equal(read(rest + broken.trimEnd()).failure, null);
    assert.equal(read(`${rest}data: [DONE]\n\n${broken}`).failure, null);
    assert.equal(read(`data: keep-alive\n\n${rest}`).failure, null);
  });

  it('a null error is none', () => {
    const sent = 'data: {"error":null,"choices":[{"delta":{"content":"a"}}]}\n\n';
    assert.equal(readStream('openai', [Buffer.from(sent)]).failure, null);
  });
});
