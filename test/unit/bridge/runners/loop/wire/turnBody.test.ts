import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { requestJson } from '../../../../../../src/bridge/runners/loop/wire/requestJson.ts';
import { turnBody } from '../../../../../../src/bridge/runners/loop/wire/turnBody.ts';
import type { TurnRequest } from '../../../../../../src/bridge/runners/loop/wire/turnTypes.ts';
import {
  anyHistory,
  assistant,
  call,
  results,
  TARGET,
  text,
  thinking,
  turnRequest,
  user,
} from './histories.ts';

type Json = Record<string, unknown>;
interface Body {
  readonly system?: unknown;
  readonly tools?: readonly Json[];
  readonly messages: readonly { role: string; content: unknown; tool_calls?: readonly Json[] }[];
}

function bodyOf(request: Partial<TurnRequest>, target = TARGET): Body {
  return turnBody(target, turnRequest(request)).body as unknown as Body;
}

/** The request up to the end of its messages: their list is last, so only its brackets are missing. */
function untilLastMessage(json: string): string {
  assert.ok(json.endsWith(']}'));
  return json.slice(0, -2);
}

const TOOL_TURN = [
  user('Do it.'),
  assistant([thinking('Hm.', 'sig'), text('I run it.'), call('c1'), call('c2')]),
  results('c1', 'c2'),
];

describe('turnBody', () => {
  it('Anthropic: a turn with everything in it', () => {
    const { path, body } = turnBody(TARGET, turnRequest({ messages: TOOL_TURN, effort: 'high' }));
    assert.equal(path, '/v1/messages');
    assert.deepEqual(body, {
      model: 'm',
      max_tokens: 100,
      stream: true,
      output_config: { effort: 'high' },
      system: 'You are an agent.',
      tools: [
        { name: 'read_file', description: 'Reads.', input_schema: { type: 'object' } },
        {
          name: 'run_bash',
          description: 'Runs.',
          input_schema: { type: 'object', required: ['x'] },
        },
      ],
      messages: [
        { role: 'user', content: 'Do it.' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
            { type: 'text', text: 'I run it.' },
            { type: 'tool_use', id: 'c1', name: 'run_bash', input: { x: 1 } },
            { type: 'tool_use', id: 'c2', name: 'run_bash', input: { x: 1 } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c1', content: 'of c1' },
            { type: 'tool_result', tool_use_id: 'c2', content: 'of c2' },
          ],
        },
      ],
    });
  });

  it('OpenAI: a turn with everything in it', () => {
    const { path, body } = turnBody(
      TARGET,
      turnRequest({ format: 'openai', messages: TOOL_TURN, effort: 'high' }),
    );
    const toolCall = (id: string) => ({
      id,
      type: 'function',
      function: { name: 'run_bash', arguments: '{"x":1}' },
    });
    assert.equal(path, '/v1/chat/completions');
    assert.deepEqual(body, {
      model: 'm',
      max_tokens: 100,
      stream: true,
      stream_options: { include_usage: true },
      reasoning_effort: 'high',
      tools: [
        {
          type: 'function',
          function: { name: 'read_file', description: 'Reads.', parameters: { type: 'object' } },
        },
        {
          type: 'function',
          function: {
            name: 'run_bash',
            description: 'Runs.',
            parameters: { type: 'object', required: ['x'] },
          },
        },
      ],
      messages: [
        { role: 'system', content: 'You are an agent.' },
        { role: 'user', content: 'Do it.' },
        { role: 'assistant', content: 'I run it.', tool_calls: [toolCall('c1'), toolCall('c2')] },
        { role: 'tool', tool_call_id: 'c1', content: 'of c1' },
        { role: 'tool', tool_call_id: 'c2', content: 'of c2' },
      ],
    });
  });

  it('what is not asked for is not sent', () => {
    for (const format of ['anthropic', 'openai'] as const) {
      const body = turnBody(
        TARGET,
        turnRequest({ format, system: '', tools: [], isStreaming: false }),
      ).body;
      assert.deepEqual(Object.keys(body), ['model', 'max_tokens', 'stream', 'messages']);
      assert.equal((body as unknown as Body).messages.length, 1);
    }
  });

  it("OpenAI's own service is told the limit under its new name, others never", () => {
    const request = turnRequest({ format: 'openai' });
    const keys = (baseUrl: string) => Object.keys(turnBody({ name: 'x', baseUrl }, request).body);
    assert.ok(keys('https://api.openai.com/v1').includes('max_completion_tokens'));
    assert.ok(!keys('https://api.openai.com.example').includes('max_completion_tokens'));
  });

  it('an error of a tool is marked as one', () => {
    const failed = { callId: 'c1', name: 'run_bash', text: 'No.', isError: true };
    const messages = [
      user('a'),
      assistant([call('c1')]),
      { role: 'results' as const, results: [failed] },
    ];
    assert.deepEqual(bodyOf({ messages }).messages[2]?.content, [
      { type: 'tool_result', tool_use_id: 'c1', content: 'No.', is_error: true },
    ]);
  });

  it('a text after results is part of the same turn of the user', () => {
    const messages = [...TOOL_TURN, user('Hurry.')];
    const content = bodyOf({ messages }).messages.at(-1)?.content as Json[];
    assert.deepEqual(
      content.map(({ type }) => type),
      ['tool_result', 'tool_result', 'text'],
    );
    assert.deepEqual(
      bodyOf({ messages, format: 'openai' }).messages.map(({ role }) => role),
      ['system', 'user', 'assistant', 'tool', 'tool', 'user'],
    );
  });

  describe('arguments that were not readable', () => {
    const broken = call('c1', { input: null, rawInput: '{"path": "a' });
    const messages = [user('a'), assistant([broken]), results('c1')];
    it('go back as an empty object', () => {
      const [, answer] = bodyOf({ messages }).messages;
      assert.deepEqual((answer?.content as Json[])[0]?.['input'], {});
      const chat = bodyOf({ messages, format: 'openai' }).messages[2];
      assert.equal((chat?.tool_calls?.[0]?.['function'] as Json)['arguments'], '{}');
    });
  });

  describe('thinking', () => {
    const kinds = (
      blocks: Parameters<typeof assistant>[0],
      request: Partial<TurnRequest> = {},
      by = {},
    ) => {
      const messages = [user('a'), assistant(blocks, by), user('b')];
      return (bodyOf({ messages, ...request }).messages[1]?.content as Json[]).map(
        (block) => block['type'],
      );
    };
    const blocks = [thinking('Hm.', 'sig'), text('a')];
    const redacted = { type: 'thinking' as const, text: '', signature: 'data', isRedacted: true };

    it('goes back to the endpoint and model that made it, and to no other', () => {
      assert.deepEqual(kinds(blocks), ['thinking', 'text']);
      assert.deepEqual(kinds(blocks, {}, { endpoint: 'cloud' }), ['text']);
      assert.deepEqual(kinds(blocks, {}, { model: 'other' }), ['text']);
      assert.deepEqual(kinds([redacted, text('a')]), ['redacted_thinking', 'text']);
      assert.deepEqual(kinds([redacted, text('a')], {}, { endpoint: 'cloud' }), ['text']);
    });

    it('that nobody signed goes back only where it is wanted', () => {
      const unsigned = [thinking('Hm.'), text('a')];
      assert.deepEqual(kinds(unsigned), ['text']);
      assert.deepEqual(kinds(unsigned, { resendsReasoning: true }), ['thinking', 'text']);
    });

    it('alone is no answer: a text stands beside it', () => {
      assert.deepEqual(kinds([thinking('Hm.', 'sig')]), ['thinking', 'text']);
      assert.deepEqual(kinds([thinking('Hm.')]), ['text']);
      assert.deepEqual(kinds([]), ['text']);
    });
  });

  describe('reasoning of chat completions', () => {
    const sent = (resendsReasoning: boolean, endpoint = 'tower') => {
      const answer = assistant([thinking('Hm.'), call('c1')], { endpoint, model: 'other' });
      const messages = [user('a'), answer, results('c1')];
      const body = bodyOf({ format: 'openai', messages, resendsReasoning });
      const message = body.messages[2] as unknown as Json;
      return [message['reasoning_content'], message['content']];
    };
    it('goes back only where it is wanted and came from; there the field is never empty', () => {
      assert.deepEqual(sent(false), [undefined, null]);
      assert.deepEqual(sent(true), ['Hm.', '']);
      assert.deepEqual(sent(true, 'cloud'), [' ', '']);
    });
  });

  describe('marks for prompt caching', () => {
    const marksIn = (value: unknown): number =>
      JSON.stringify(value).split('"cache_control"').length - 1;

    it('stand on the system text, the last tool and the last block, and on nothing else, over four turns', () => {
      const tools = turnRequest().tools;
      const frozen = JSON.stringify(tools);
      let messages = [user('Do it.')];
      for (let turn = 1; turn <= 4; turn += 1) {
        const body = bodyOf({ messages, tools, hasCacheMarks: true });
        assert.equal(marksIn(body), 3);
        assert.equal(marksIn(body.system), 1);
        assert.deepEqual(body.tools?.map(marksIn), [0, 1]);
        const lastBlock = (body.messages.at(-1)?.content as Json[]).at(-1);
        assert.deepEqual(lastBlock?.['cache_control'], { type: 'ephemeral' });
        assert.equal(marksIn(messages), 0);
        const id = `c${turn}`;
        messages = [...messages, assistant([call(id)]), results(id)];
      }
      assert.equal(JSON.stringify(tools), frozen);
    });

    it('are missing without leave, and where there is no such format', () => {
      assert.equal(marksIn(bodyOf({ messages: TOOL_TURN })), 0);
      assert.equal(
        marksIn(bodyOf({ messages: TOOL_TURN, format: 'openai', hasCacheMarks: true })),
        0,
      );
    });
  });

  describe('over generated histories', () => {
    const anyRequest = fc.record({
      format: fc.constantFrom('anthropic' as const, 'openai' as const),
      hasCacheMarks: fc.boolean(),
      resendsReasoning: fc.boolean(),
    });

    it('a request begins with all of the one before it', () => {
      fc.assert(
        fc.property(anyHistory, anyRequest, (turns, options) => {
          let previous = '';
          turns.forEach((_, at) => {
            const messages = turns.slice(0, at + 1).flat();
            const json = requestJson(turnBody(TARGET, turnRequest({ ...options, messages })).body);
            // The mark on the last message moves on; the model does not see it.
            const seen = json.replaceAll(/,"cache_control":\{"type":"ephemeral"\}/g, '');
            assert.ok(seen.startsWith(previous), `${previous}\n${seen}`);
            previous = untilLastMessage(seen);
          });
        }),
      );
    });

    it('Anthropic: roles alternate, every call has its result, ids are unique and well formed', () => {
      fc.assert(
        fc.property(anyHistory, anyRequest, (turns, options) => {
          const messages = turns.flat();
          const body = bodyOf({ ...options, format: 'anthropic', messages });
          const ids: unknown[] = [];
          let open: unknown[] = [];
          body.messages.forEach(({ role, content }, at) => {
            assert.equal(role, at % 2 === 0 ? 'user' : 'assistant');
            const blocks =
              typeof content === 'string' ? [{ type: 'text', text: content }] : content;
            assert.ok(Array.isArray(blocks) && blocks.length > 0);
            for (const block of blocks as Json[])
              if (block['type'] === 'text') assert.notEqual(String(block['text']).trim(), '');
            const of = (type: string, key: string) =>
              (blocks as Json[])
                .filter((block) => block['type'] === type)
                .map((block) => block[key]);
            if (role === 'user') assert.deepEqual(of('tool_result', 'tool_use_id'), open);
            open = of('tool_use', 'id');
            ids.push(...open);
            for (const name of of('tool_use', 'name')) assert.match(String(name), /^[\w-]{1,64}$/);
          });
          assert.deepEqual(open, []);
          for (const id of ids) assert.match(String(id), /^[\w-]+$/);
          assert.equal(new Set(ids).size, ids.length);
        }),
      );
    });

    it('OpenAI: every call has its result right behind it, no answer is empty, arguments are valid JSON', () => {
      fc.assert(
        fc.property(anyHistory, anyRequest, (turns, options) => {
          const { messages } = bodyOf({ ...options, format: 'openai', messages: turns.flat() });
          const [system, ...rest] = messages as unknown as readonly Json[];
          assert.equal(system?.['role'], 'system');
          let open: unknown[] = [];
          let previous = '';
          for (const message of rest) {
            const role = String(message['role']);
            if (role === 'tool') assert.equal(message['tool_call_id'], open.shift());
            else assert.deepEqual(open, []);
            if (role !== 'tool') assert.notEqual(role, previous);
            if (role === 'assistant') {
              const calls = (message['tool_calls'] ?? []) as Json[];
              assert.ok(calls.length > 0 || message['content']);
              open = calls.map(({ id }) => id);
              for (const { function: called } of calls as { function: Json }[])
                assert.equal(typeof JSON.parse(String(called['arguments'])), 'object');
            } else assert.notEqual(String(message['content']).trim(), '');
            previous = role;
          }
          assert.deepEqual(open, []);
          assert.notEqual(previous, 'assistant');
        }),
      );
    });
  });
});

describe('requestJson', () => {
  it('is what JSON.stringify makes, with halves of characters replaced', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' })),
        fc.constantFrom('\ud83d', '\udca9 ', '\\\ud83d', '\\\\\udfff', '\\ud83d', '"\ud800"'),
        (body, half) => {
          const sent = JSON.parse(requestJson({ ...body, half })) as Json;
          assert.deepEqual(
            Object.entries(sent),
            Object.entries({ ...body, half }).map(([key, value]) => [
              key.toWellFormed(),
              value.toWellFormed(),
            ]),
          );
        },
      ),
    );
  });
});
