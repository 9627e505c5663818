import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { WireFormat } from '../../../../src/bridge/endpoints/endpointTarget.ts';
import { probeToolCalls } from '../../../../src/bridge/endpoints/toolProbe.ts';
import { recorded, ReplayServer, type Answer } from './replayServer.ts';

function message(content: readonly object[], stopReason = 'tool_use'): Answer {
  return { body: { model: 'm', content, stop_reason: stopReason } };
}

function call(name: string, args: unknown): Answer {
  const toolCall = { type: 'function', function: { name, arguments: args } };
  return {
    body: {
      choices: [
        { finish_reason: 'tool_calls', message: { content: null, tool_calls: [toolCall] } },
      ],
    },
  };
}

describe('probeToolCalls', () => {
  const table: readonly (readonly [what: string, WireFormat, Answer, expected: string])[] = [
    [
      'a call',
      'anthropic',
      message([{ type: 'tool_use', name: 'report_number', input: { value: 7 } }]),
      'yes',
    ],
    [
      'text and a call',
      'anthropic',
      message([
        { type: 'text', text: 'ok' },
        { type: 'tool_use', name: 'report_number', input: { value: 7 } },
      ]),
      'yes',
    ],
    [
      'the wrong tool',
      'anthropic',
      message([{ type: 'tool_use', name: 'other', input: { value: 7 } }]),
      'no',
    ],
    [
      'no arguments',
      'anthropic',
      message([{ type: 'tool_use', name: 'report_number', input: {} }]),
      'no',
    ],
    [
      'text only',
      'anthropic',
      message([{ type: 'text', text: '<tool_call>{"name":…' }], 'end_turn'),
      'no',
    ],
    [
      'a model that rambles',
      'anthropic',
      { body: recorded('v1-messages-tools.json') },
      'incomplete',
    ],
    ['a call', 'openai', call('report_number', '{"value": 7}'), 'yes'],
    ['arguments that are no JSON', 'openai', call('report_number', '{"value": '), 'no'],
    ['arguments that are an object already', 'openai', call('report_number', { value: 7 }), 'yes'],
    [
      'a cut-off answer',
      'openai',
      { body: { choices: [{ finish_reason: 'length', message: { content: 'Let me' } }] } },
      'incomplete',
    ],
    [
      'Ollama: a model without tools',
      'openai',
      {
        status: 400,
        body: { error: { message: 'registry.ollama.ai/library/x does not support tools' } },
      },
      'no',
    ],
    [
      'vLLM: no tool parser',
      'openai',
      {
        status: 400,
        body: {
          message:
            '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        },
      },
      'no',
    ],
    [
      'llama.cpp: no template',
      'openai',
      { status: 500, body: { error: { message: 'tools param requires --jinja flag' } } },
      'no',
    ],
    [
      'a server in trouble',
      'openai',
      { status: 500, body: { error: { message: 'CUDA out of memory' } } },
      'backend_error',
    ],
    ['a wrong key', 'anthropic', { status: 401 }, 'auth_failed'],
  ];
  let server: ReplayServer | null = null;
  afterEach(async () => server?.stop());

  for (const [what, format, answer, expected] of table) {
    it(`${format}, ${what}: ${expected}`, async () => {
      server = await ReplayServer.start({
        'POST /v1/messages': answer,
        'POST /v1/chat/completions': answer,
      });
      const result = await probeToolCalls(server.target(), 'm', format, { timeoutMs: 5000 });
      assert.equal(typeof result === 'string' ? result : result.error.kind, expected);
    });
  }

  it('offers one tool and does not force the call', async () => {
    server = await ReplayServer.start({
      'POST /v1/messages': message([]),
      'POST /v1/chat/completions': call('x', ''),
    });
    await probeToolCalls(server.target(), 'm', 'anthropic', { timeoutMs: 5000 });
    await probeToolCalls(server.target(), 'm', 'openai', { timeoutMs: 5000 });
    for (const { body } of server.seen) {
      const sent = body as { tools: unknown[] };
      assert.equal(sent.tools.length, 1);
      assert.ok(!('tool_choice' in sent));
    }
    assert.equal(server.seen.length, 2);
  });
});
