import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { BridgeError, type ErrorKind } from '../../../../src/base/bridgeError.ts';
import { completeText, type CompletionRequest } from '../../../../src/bridge/endpoints/complete.ts';
import { recorded, ReplayServer, targetAt, type Answer, type Routes } from './replayServer.ts';

const ASK: CompletionRequest = {
  format: 'anthropic',
  model: 'm',
  prompt: 'Say hi.',
  maxTokens: 12,
  timeoutMs: 5000,
};

function message(...content: readonly object[]): Answer {
  return {
    body: {
      type: 'message',
      model: 'served',
      content,
      stop_reason: 'end_turn',
      usage: { input_tokens: 3, output_tokens: 4 },
    },
  };
}

function chat(content: unknown, extra: object = {}): Answer {
  return {
    body: {
      model: 'served',
      choices: [{ finish_reason: 'stop', message: { role: 'assistant', content, ...extra } }],
    },
  };
}

describe('completeText', () => {
  const servers: ReplayServer[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });
  async function serve(routes: Routes): Promise<ReplayServer> {
    const server = await ReplayServer.start(routes);
    servers.push(server);
    return server;
  }

  it('Anthropic: the recorded answer of a llama-server', async () => {
    const server = await serve({ 'POST /v1/messages': { body: recorded('v1-messages.json') } });
    const answer = await completeText(server.target({ headers: { 'x-api-key': 'k' } }), {
      ...ASK,
      system: 'Be brief.',
      temperature: 0,
    });
    assert.equal(answer.text, "颜.Controlleraed'vejar.masks(Void🏊 plagued recordings Chips少なく");
    assert.equal(answer.modelServed, 'tiny-qwen');
    assert.equal(answer.stopReason, 'max_tokens');
    assert.deepEqual(answer.usage, { input: 9, output: 12, cacheRead: 0, cacheWrite: null });
    const [seen] = server.seen;
    assert.deepEqual(seen?.body, {
      model: 'm',
      temperature: 0,
      max_tokens: 12,
      system: 'Be brief.',
      messages: [{ role: 'user', content: 'Say hi.' }],
    });
    assert.deepEqual(
      [seen?.headers['x-api-key'], seen?.headers['anthropic-version']],
      ['k', '2023-06-01'],
    );
  });

  it('OpenAI: the recorded answer of a llama-server', async () => {
    const server = await serve({
      'POST /v1/chat/completions': { body: recorded('chat-completions.json') },
    });
    const answer = await completeText(server.target(), {
      ...ASK,
      format: 'openai',
      system: 'Be brief.',
    });
    assert.equal(answer.text, 'Italian Cheryl uppercase trailers⤄');
    assert.deepEqual(answer.usage, { input: 6, output: 5, cacheRead: 3, cacheWrite: null });
    assert.deepEqual([answer.modelServed, answer.stopReason], ['tiny-qwen', 'length']);
    assert.deepEqual(server.seen[0]?.body, {
      model: 'm',
      max_tokens: 12,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Say hi.' },
      ],
    });
  });

  it("OpenAI's own servers get the new name of the limit", async () => {
    const server = await serve({ 'POST /v1/chat/completions': chat('x') });
    await completeText(server.target({ backend: 'openai' }), { ...ASK, format: 'openai' });
    assert.equal((server.seen[0]?.body as Record<string, unknown>)['max_completion_tokens'], 12);
    assert.ok(!('max_tokens' in (server.seen[0]?.body as object)));
  });

  const texts: readonly (readonly [what: string, CompletionRequest['format'], Answer, string])[] = [
    [
      'thinking blocks are left out',
      'anthropic',
      message(
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ),
      'ab',
    ],
    ['thinking inside the text too', 'openai', chat('<think>\nhm\n</think>\n\nhi'), 'hi'],
    ['and by its longer name', 'openai', chat(' <thinking>hm</thinking>hi'), 'hi'],
    ['and when it was cut off', 'openai', chat('<think>hm'), ''],
    ['a tag further in is text', 'openai', chat('use <think>x</think>'), 'use <think>x</think>'],
    ['reasoning_content is left out', 'openai', chat('hi', { reasoning_content: 'hm' }), 'hi'],
    [
      'content in parts',
      'openai',
      chat([
        { type: 'text', text: 'h' },
        { type: 'text', text: 'i' },
      ]),
      'hi',
    ],
    ['no content', 'openai', chat(null), ''],
    ['odd blocks', 'anthropic', message({ type: 'text', text: 7 }, {}), ''],
  ];
  for (const [what, format, answer, expected] of texts) {
    it(`text: ${what}`, async () => {
      const server = await serve({
        'POST /v1/messages': answer,
        'POST /v1/chat/completions': answer,
      });
      assert.equal((await completeText(server.target(), { ...ASK, format })).text, expected);
    });
  }

  it('what the server does not say is null', async () => {
    const server = await serve({
      'POST /v1/chat/completions': { body: { choices: [{ message: { content: 'x' } }] } },
    });
    const { text: _, ...rest } = await completeText(server.target(), { ...ASK, format: 'openai' });
    assert.deepEqual(rest, {
      modelServed: null,
      stopReason: null,
      usage: { input: null, output: null, cacheRead: null, cacheWrite: null },
    });
  });

  const failures: readonly (readonly [what: string, Answer, ErrorKind, RegExp])[] = [
    [
      'a wrong key',
      { status: 401, body: recorded('models-nokey.json') },
      'auth_failed',
      /tower refused the key \(HTTP 401: Invalid API Key\)/,
    ],
    [
      'too many requests',
      { status: 429, headers: { 'retry-after': '7' } },
      'rate_limited',
      /no more requests/,
    ],
    [
      'overflow',
      { status: 400, body: recorded('error-exceed-context-messages.json') },
      'context_overflow',
      /70009 tokens/,
    ],
    [
      'overflow of vLLM',
      {
        status: 400,
        body: {
          object: 'error',
          message:
            "This model's maximum context length is 32768 tokens. However, you requested 40000",
          code: 400,
        },
      },
      'context_overflow',
      /32768/,
    ],
    [
      'something else that fails with 400',
      { status: 400, body: { error: { message: 'bad json in context' } } },
      'backend_error',
      /bad json/,
    ],
    [
      'out of memory',
      { status: 500, body: { error: { message: 'CUDA out of memory' } } },
      'backend_error',
      /HTTP 500: CUDA out of memory/,
    ],
    [
      'an unknown model',
      { status: 404, body: { error: { message: 'model "m" not found' } } },
      'model_unavailable',
      /does not serve this model/,
    ],
    [
      'an unknown path',
      { status: 404, body: recorded('error-404.json') },
      'backend_error',
      /HTTP 404: File Not Found/,
    ],
    [
      'a redirect',
      { status: 302, headers: { location: 'http://192.0.2.1/' } },
      'backend_error',
      /HTTP 302/,
    ],
    ['a web page', { body: '<html>' }, 'backend_error', /not a completion/],
    [
      'an error with status 200',
      { body: { error: 'Unexpected endpoint' } },
      'backend_error',
      /not a completion/,
    ],
  ];
  for (const [what, answer, kind, text] of failures) {
    it(`fails with ${kind} for ${what}`, async () => {
      const server = await serve({ 'POST /v1/messages': answer });
      await assert.rejects(completeText(server.target(), ASK), (error) => {
        assert.ok(BridgeError.is(error, kind), String(error));
        assert.match(error.message, text);
        return true;
      });
    });
  }

  it('says when to come back', async () => {
    const server = await serve({
      'POST /v1/messages': { status: 429, headers: { 'retry-after': '7' } },
    });
    const error: unknown = await completeText(server.target(), ASK).catch(
      (reason: unknown) => reason,
    );
    assert.equal((error as BridgeError).details['retry_after'], '7');
  });

  it('no key in an error, even when the server repeats it', async () => {
    const key = 'sk-very-secret-key';
    const body = { error: { message: `bad key ${key}` } };
    for (const status of [401, 400, 500, 404]) {
      const server = await serve({ 'POST /v1/messages': { status, body } });
      const error: unknown = await completeText(
        server.target({ headers: { 'x-api-key': key } }),
        ASK,
      ).catch((reason: unknown) => reason);
      assert.match((error as Error).message, /bad key \[redacted\]/);
    }
  });

  it('nothing listens, no answer in time, cancelled, forbidden: each its kind', async () => {
    const server = await serve({ 'POST /v1/messages': () => null });
    const kindOf = (promise: Promise<unknown>): Promise<string> =>
      promise.then(
        () => 'answered',
        (error: unknown) => (error as BridgeError).kind,
      );
    assert.equal(await kindOf(completeText(server.target(), { ...ASK, timeoutMs: 80 })), 'timeout');
    const signal = AbortSignal.timeout(80);
    assert.equal(await kindOf(completeText(server.target(), { ...ASK, signal })), 'cancelled');
    assert.equal(await kindOf(completeText(targetAt('http://192.0.2.1'), ASK)), 'policy_refused');
    const { url } = server;
    await servers.pop()?.stop();
    assert.equal(await kindOf(completeText(targetAt(url), ASK)), 'backend_unreachable');
  });
});
