import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import {
  type Rehearsal,
  type RehearsalOptions,
  startRehearsal,
} from '../../../src/rehearsal/startRehearsal.ts';

const SCHEMA = { type: 'object', properties: { command: {} }, required: ['command'] };

/** What JSON.parse gives: the tests read bodies of three APIs without a type for each. */
type Loose = ReturnType<typeof JSON.parse>;
type Json = Record<string, Loose>;

/** One adapter per API: the request for a script, and an answer brought into one form. */
interface Api {
  path: string;
  body(script: string, withTool: boolean): Json;
  /** Puts a stream's events together to what the same request gives without a stream. */
  join(events: Json[]): Json;
  read(answer: Json): {
    text: string | null;
    call: Json | null;
    thinking: string | null;
    usage: number[];
  };
}

function fence(script: string): string {
  return `\`\`\`rehearsal\n${script}\n\`\`\``;
}

const MESSAGES: Api = {
  path: '/v1/messages',
  body: (script, withTool) => ({
    model: 'whatever',
    max_tokens: 100,
    messages: [{ role: 'user', content: fence(script) }],
    ...(withTool ? { tools: [{ name: 'Bash', input_schema: SCHEMA }, { name: 'Other' }] } : {}),
  }),
  join(events) {
    const message = structuredClone(events[0]?.['message']) as Json;
    const json: string[] = [];
    for (const { type, index, content_block: block, delta, usage } of events) {
      if (type === 'content_block_start') message['content'][index] = structuredClone(block);
      const into = message['content'][index];
      if (delta?.type === 'text_delta') into.text += delta.text;
      if (delta?.type === 'thinking_delta') into.thinking += delta.thinking;
      if (delta?.type === 'input_json_delta') json.push(delta.partial_json);
      if (type === 'message_delta') Object.assign(message, delta, { usage });
    }
    const call = message['content'].find((block: Json) => block['type'] === 'tool_use');
    if (call !== undefined) call.input = JSON.parse(json.join(''));
    assert.equal(events.at(-1)?.['type'], 'message_stop');
    return message;
  },
  read(answer) {
    const find = (type: string): Json | undefined =>
      answer['content'].find((block: Json) => block['type'] === type);
    const call = find('tool_use');
    assert.equal(answer['stop_reason'], call ? 'tool_use' : 'end_turn');
    return {
      text: find('text')?.['text'] ?? null,
      thinking: find('thinking')?.['thinking'] ?? null,
      call: call ? { name: call['name'], input: call['input'] } : null,
      usage: [answer['usage'].input_tokens, answer['usage'].output_tokens],
    };
  },
};

const CHAT: Api = {
  path: '/v1/chat/completions',
  body: (script, withTool) => ({
    model: 'whatever',
    stream_options: { include_usage: true },
    messages: [{ role: 'user', content: [{ type: 'text', text: fence(script) }] }],
    ...(withTool
      ? {
          tools: [
            { type: 'function', function: { name: 'Bash', parameters: SCHEMA } },
            { type: 'function', function: { name: 'Other' } },
          ],
        }
      : {}),
  }),
  join(events) {
    const message: Json = { content: null };
    let finish: string | null = null;
    for (const { choices } of events) {
      const choice = choices[0];
      finish = choice?.finish_reason ?? finish;
      for (const field of ['content', 'reasoning_content']) {
        const part = choice?.delta[field];
        if (part) message[field] = (message[field] ?? '') + part;
      }
      for (const part of choice?.delta.tool_calls ?? []) {
        message['tool_calls'] ??= [{ function: { name: part.function.name, arguments: '' } }];
        message['tool_calls'][0].function.arguments += part.function.arguments;
      }
    }
    const { model } = events[0] as Json;
    return {
      model,
      choices: [{ message, finish_reason: finish }],
      usage: events.at(-1)?.['usage'],
    };
  },
  read(answer) {
    const { message, finish_reason: finish } = answer['choices'][0];
    const call = message.tool_calls?.[0].function;
    assert.equal(finish, call ? 'tool_calls' : 'stop');
    return {
      text: message.content,
      thinking: message.reasoning_content ?? null,
      call: call ? { name: call.name, input: JSON.parse(call.arguments) } : null,
      usage: [answer['usage'].prompt_tokens, answer['usage'].completion_tokens],
    };
  },
};

const RESPONSES: Api = {
  path: '/v1/responses',
  body: (script, withTool) => ({
    model: 'whatever',
    input: [{ role: 'user', content: [{ type: 'input_text', text: fence(script) }] }],
    ...(withTool
      ? {
          tools: [
            { type: 'function', name: 'Bash', parameters: SCHEMA },
            { type: 'function', name: 'Other' },
          ],
        }
      : {}),
  }),
  join(events) {
    const done = events.filter((event) => event['type'] === 'response.output_item.done');
    const last = events.at(-1) as Json;
    assert.equal(last['type'], 'response.completed');
    assert.deepEqual(
      events.map((event) => event['sequence_number']),
      [...events.keys()],
    );
    assert.deepEqual(
      done.map((event) => event['item']),
      last['response'].output,
    );
    return last['response'];
  },
  read(answer) {
    assert.equal(answer['status'], 'completed');
    const find = (type: string): Json | undefined =>
      answer['output'].find((item: Json) => item['type'] === type);
    const call = find('function_call');
    return {
      text: find('message')?.['content'][0].text ?? null,
      thinking: find('reasoning')?.['summary'][0].text ?? null,
      call: call ? { name: call['name'], input: JSON.parse(call['arguments']) } : null,
      usage: [answer['usage'].input_tokens, answer['usage'].output_tokens],
    };
  },
};

const APIS = [MESSAGES, CHAT, RESPONSES];

describe('startRehearsal', () => {
  let server: Rehearsal;
  let logged: string[];

  const start = async (options: RehearsalOptions = {}): Promise<void> => {
    logged = [];
    server = await startRehearsal({ log: (line) => logged.push(line), ...options });
  };
  const post = (path: string, body: unknown, session = 's'): Promise<Response> =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { 'x-claude-code-session-id': session },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const get = async (path: string): Promise<Loose> => (await fetch(server.url + path)).json();
  const metric = async (name: string): Promise<number> => {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    return Number(new RegExp(`^llamacpp:${name} (\\S+)$`, 'm').exec(text)?.[1]);
  };

  beforeEach(() => start());
  afterEach(() => server.close());

  for (const api of APIS) {
    describe(api.path, () => {
      const ask = async (script: string, session?: string): Promise<Response> =>
        post(api.path, api.body(script, true), session);

      const stream = async (script: string, session?: string): Promise<Json[]> => {
        const response = await post(api.path, { ...api.body(script, true), stream: true }, session);
        assert.equal(response.headers.get('content-type'), 'text/event-stream');
        return eventsIn(await response.text());
      };

      for (const script of [
        'run: echo "ünï" \\ \'x\'',
        'say: One two three.\nrun: ls',
        'say:\n  Two lines.\n  "Quoted" – 🙂.',
        'thinking: First I think, then I act.\nrun: ls',
      ]) {
        it(`gives the same with and without a stream for ${JSON.stringify(script)}`, async () => {
          const plain = (await (await ask(script, 'plain')).json()) as Json;
          const joined = api.join(await stream(script, 'stream'));
          assert.deepEqual(api.read(joined), api.read(plain));
          assert.equal(plain['model'], 'rehearsal');
          assert.equal(joined['model'], 'rehearsal');
          const command = /run: (.*)/.exec(script)?.[1];
          const expected = command === undefined ? null : { name: 'Bash', input: { command } };
          assert.deepEqual(api.read(plain).call, expected);
        });
      }

      it('arrives whole in one-byte parts', async () => {
        const events = await stream('split every 1 byte\nsay: ünïcödé 🙂');
        assert.equal(api.read(api.join(events)).text, 'ünïcödé 🙂');
      });

      it('sends a status with retry-after once', async () => {
        const script = 'status 429 retry-after=2 slow down\nsay: ok';
        const refused = await ask(script);
        assert.equal(refused.status, 429);
        assert.equal(refused.headers.get('retry-after'), '2');
        const error = ((await refused.json()) as Json)['error'];
        assert.deepEqual([error.type, error.message], ['rate_limit_error', 'slow down']);
        assert.equal((await ask(script)).status, 200);
      });

      it('cuts the connection in the middle of the body', async () => {
        const body = { ...api.body('cut\nsay: some words to cut', true), stream: true };
        const response = await post(api.path, body);
        assert.equal(response.status, 200);
        await assert.rejects(response.text());
      });

      it('cuts the connection of an answer that is not streamed', async () => {
        const response = await ask('cut\nsay: some words to cut');
        await assert.rejects(response.text());
      });

      it('sends HTML in place of an answer', async () => {
        const response = await ask('html\nsay: ok');
        assert.equal(response.headers.get('content-type'), 'text/html');
        assert.match(await response.text(), /^<html>/);
      });

      it('sends an answer without content', async () => {
        const answer = (await (await ask('empty\nrun: ls')).json()) as Json;
        const { text, call, usage } = api.read(answer);
        assert.deepEqual([text, call, usage[1]], [null, null, 0]);
      });

      it('breaks the JSON of the body, streamed or not', async () => {
        const response = await ask('bad-json\nsay: a few words', 'plain');
        await assert.rejects(response.json(), SyntaxError);
        await assert.rejects(stream('bad-json\nsay: a few words', 'stream'), SyntaxError);
      });

      it("breaks the JSON of the tool's input only", async () => {
        const answer = JSON.stringify(await (await ask('bad-input\nrun: ls')).json());
        assert.ok(answer.includes(JSON.stringify('{"command":"ls"')), answer);
        assert.ok(!answer.includes(JSON.stringify('{"command":"ls"}')), answer);
      });

      it('refuses a prompt as llama.cpp does, on the line "overflow" and for real', async () => {
        const rehearsed = await ask('overflow\nsay: ok');
        assert.equal(rehearsed.status, 400);
        const { error } = (await rehearsed.json()) as { error: Json };
        assert.equal(error['type'], 'exceed_context_size_error');
        assert.ok(error['n_prompt_tokens'] > error['n_ctx']);

        await server.close();
        await start({ context: 50 });
        assert.equal((await ask('say: ok')).status, 200);
        const real = await ask(`say: ${'ok '.repeat(50)}`);
        assert.equal(real.status, 400);
        assert.equal(((await real.json()) as { error: Json }).error['n_ctx'], 50);
      });
    });
  }

  it('counts tokens as it bills them', async () => {
    const body = MESSAGES.body('say: hi', true);
    const counted = (await (await post('/v1/messages/count_tokens', body)).json()) as Json;
    const answer = (await (await post('/v1/messages', body)).json()) as Json;
    assert.equal(counted['input_tokens'], answer['usage'].input_tokens);
    assert.ok(counted['input_tokens'] > 5);
  });

  it('adds up what it served in /metrics, and nothing that failed', async () => {
    const used = [0, 0];
    for (const text of ['one', 'two words', 'three more words']) {
      const answer = (await (
        await post('/v1/messages', MESSAGES.body(`say: ${text}`, false))
      ).json()) as Json;
      used[0] += answer['usage'].input_tokens;
      used[1] += answer['usage'].output_tokens;
    }
    await post('/v1/messages', MESSAGES.body('status 500\nsay: x', false));
    assert.deepEqual(
      [await metric('prompt_tokens_total'), await metric('tokens_predicted_total')],
      used,
    );
    assert.equal(server.requests(), 4);
  });

  it('shows a hanging answer as a busy slot until the client leaves', async () => {
    const leave = new AbortController();
    const body = JSON.stringify(MESSAGES.body('hang 60s\nsay: never', false));
    const answer = fetch(`${server.url}/v1/messages`, {
      method: 'POST',
      body,
      signal: leave.signal,
    });
    const busy = async (): Promise<number> =>
      (await get('/slots')).filter((slot: Json) => slot['is_processing']).length;
    await until(async () => (await busy()) === 1);
    assert.equal(await metric('requests_processing'), 1);
    leave.abort();
    await assert.rejects(answer);
    await until(async () => (await busy()) === 0);
    assert.deepEqual(
      logged.filter((line) => line.startsWith('POST')),
      ['POST /v1/messages given up by the client'],
    );
  });

  it('has a request wait when every slot is taken', async () => {
    await server.close();
    await start({ slots: 1 });
    const first = post('/v1/messages', MESSAGES.body('hang 200ms\nsay: 1', false), 'a');
    await until(async () => (await metric('requests_processing')) === 1);
    const second = post('/v1/messages', MESSAGES.body('say: 2', false), 'b');
    await until(async () => (await metric('requests_deferred')) === 1);
    const texts = (await Promise.all([first, second])).map((one) => one.json() as Promise<Json>);
    assert.deepEqual(
      (await Promise.all(texts)).map((answer) => MESSAGES.read(answer).text),
      ['1', '2'],
    );
  });

  it('sends parts of the size that the script names, each by itself', async () => {
    const body = JSON.stringify(MESSAGES.body('split every 3 bytes\nsay: ünï', false));
    const { port } = new URL(server.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.end(
      `POST /v1/messages HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    const raw = (await Readable.from(socket).toArray()) as Buffer[];
    const answer = Buffer.concat(raw).toString('latin1');
    let rest = answer.slice(answer.indexOf('\r\n\r\n') + 4);
    const sizes: number[] = [];
    while (rest !== '') {
      const size = parseInt(rest, 16);
      sizes.push(size);
      rest = rest.slice(rest.indexOf('\r\n') + 2 + size + 2);
    }
    assert.ok(sizes.length > 50, answer);
    assert.equal(sizes.pop(), 0);
    assert.ok((sizes.pop() ?? 4) <= 3);
    assert.ok(sizes.every((size) => size === 3));
  });

  it('keeps the pace of a slow answer', async () => {
    const started = performance.now();
    const body = { ...MESSAGES.body('slow 50 tok/s\nsay: 1 2 3 4 5', false), stream: true };
    const joined = MESSAGES.join(eventsIn(await (await post('/v1/messages', body)).text()));
    assert.equal(MESSAGES.read(joined).text, '1 2 3 4 5');
    assert.ok(performance.now() - started >= 5 * (1000 / 50));
  });

  it('tells its model, window and slots', async () => {
    await server.close();
    await start({ model: 'mine', context: 4096, slots: 2 });
    const models = await get('/v1/models');
    assert.deepEqual([models.data[0].id, models.data[0].meta.n_ctx], ['mine', 4096]);
    const props = await get('/props');
    assert.deepEqual([props.default_generation_settings.n_ctx, props.total_slots], [4096, 2]);
    assert.deepEqual(
      (await get('/slots')).map((slot: Json) => slot['n_ctx']),
      [4096, 4096],
    );
    assert.deepEqual(await get('/health'), { status: 'ok' });
  });

  it('tokenizes with as many tokens as it counts', async () => {
    const { tokens } = (await (await post('/tokenize', { content: 'one two, 3' })).json()) as Json;
    assert.equal(tokens.length, 5);
  });

  it('refuses what it cannot read and does not know', async () => {
    assert.equal((await post('/v1/messages', '{"messages":')).status, 400);
    assert.equal((await post('/v1/embeddings', {})).status, 404);
    assert.equal((await fetch(`${server.url}/`)).status, 404);
    for (const { path } of APIS) {
      for (const body of ['', '{}', '[]', 'null', '"x"']) {
        const refused = await post(path, body);
        assert.equal(refused.status, 400, `${path} ${body}`);
        assert.match(JSON.stringify(await refused.json()), /'(messages|input)' is required/);
      }
      const odd = await post(path, '{"messages":{"role":7},"input":[null,7],"tools":[null,3]}');
      assert.equal(odd.status, 200, path);
    }
    assert.equal(server.requests(), 3);
  });

  it('shows every request to an observer', async () => {
    const seen: string[] = [];
    await server.close();
    await start({
      onRequest: ({ method, path, body }) =>
        seen.push(`${method} ${path} ${body['model'] as string}`),
    });
    await post('/v1/messages?beta=true', MESSAGES.body('say: x', false));
    assert.deepEqual(seen, ['POST /v1/messages whatever']);
  });

  it('closes at once, whatever hangs', async () => {
    const hanging = assert.rejects(post('/v1/messages', MESSAGES.body('hang 60s\nsay: x', false)));
    const half = httpRequest(`${server.url}/v1/messages`, { method: 'POST' });
    half.write('{');
    const halfFailed = once(half, 'error');
    await until(async () => (await metric('requests_processing')) === 1);
    await server.close();
    await Promise.all([hanging, halfFailed]);
    await assert.rejects(fetch(`${server.url}/health`));
  });

  it('rejects when the port is taken', async () => {
    const port = Number(new URL(server.url).port);
    await assert.rejects(startRehearsal({ port }), { code: 'EADDRINUSE' });
  });
});

function eventsIn(text: string): Json[] {
  const events: Json[] = [];
  for (const block of text.split('\n\n')) {
    const data = /^data: (.*)$/m.exec(block)?.[1];
    if (data !== undefined && data !== '[DONE]') events.push(JSON.parse(data) as Json);
  }
  return events;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + 8000;
  while (!(await condition())) {
    assert.ok(performance.now() < deadlineMs, 'The condition did not come true within 8 s.');
    await delay(5);
  }
}
