import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as httpRequest, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, it } from 'mocha';
import type { buildConnector } from 'undici';
import { Agent } from 'undici';
import { BridgeError } from '../../../src/base/bridgeError.ts';
import { GatewayFixture, type Answer } from './gatewayFixture.ts';
import { HandTimers } from './handTimers.ts';

const STREAM = readFileSync('test/fixtures/gateway/llama-server-stream.sse', 'utf8');
const MESSAGE = readFileSync('test/fixtures/gateway/llama-server-message.json', 'utf8');
const EXCEEDED = readFileSync('test/fixtures/gateway/llama-server-exceed-context.json', 'utf8');
const TOO_LONG = 'prompt is too long: 70009 tokens > 32768 maximum';
const BODY = { model: 'asked', stream: true, messages: [{ role: 'user', content: 'hi' }] };
const SSE = { 'content-type': 'text/event-stream' };
const JSON_TYPE = { 'content-type': 'application/json' };

describe('gateway', () => {
  const open: GatewayFixture[] = [];
  const start = async (
    ...args: Parameters<typeof GatewayFixture.start>
  ): Promise<GatewayFixture> => {
    const fixture = await GatewayFixture.start(...args);
    open.push(fixture);
    return fixture;
  };
  afterEach(() => Promise.all(open.splice(0).map((fixture) => fixture.close())));
  const says =
    (status: number, headers: Record<string, string>, body: string | Buffer): Answer =>
    (_request, _body, response) =>
      void response.writeHead(status, headers).end(body);

  it('carries a stream byte for byte, with the credentials of the endpoint only, and says what it read', async () => {
    let seen: { url?: string; headers: object } = { headers: {} };
    const fixture = await start((request, _body, response) => {
      seen = { url: request.url ?? '', headers: request.headers };
      response.writeHead(200, { ...SSE, 'request-id': 'r1', 'retry-after': '7' }).end(STREAM);
    });
    const record = fixture.nextRecord();
    const answer = await fixture.post('/v1/messages?beta=true', BODY);
    assert.equal(await answer.text(), STREAM);
    assert.equal(answer.headers.get('request-id'), 'r1');
    assert.equal(answer.headers.get('retry-after'), '7');
    assert.equal(seen.url, '/v1/messages?beta=true');
    assert.ok(!JSON.stringify(seen.headers).includes('of-the-client'));
    assert.ok(JSON.stringify(seen.headers).includes('of-the-endpoint'));
    const { t, msFirstByte, msTotal, ...rest } = await record;
    assert.match(t, /^\d{4}-.*Z$/);
    assert.ok(msFirstByte !== null && msFirstByte <= msTotal);
    assert.deepEqual(rest, {
      path: '/v1/messages?beta=true',
      status: 200,
      bytesIn: JSON.stringify(BODY).length,
      bytesOut: Buffer.byteLength(STREAM),
      messages: 1,
      tools: 0,
      stream: true,
      modelAsked: 'asked',
      modelAnswered: 'tiny-qwen',
      stopReason: 'max_tokens',
      usage: { input: 1, output: 6, cacheRead: 8, cacheWrite: null },
      rewrites: { folded: 0, moved: 0, repaired: 0 },
      commonPrefixBytes: null,
      prevBytes: null,
      countSource: null,
      error: null,
      contextExceeded: null,
      retryAfterS: 7,
    });
    const { gateway } = fixture;
    assert.deepEqual(
      [gateway.requests, gateway.answered, gateway.modelServed(), gateway.contextUsed()],
      [1, 1, 'tiny-qwen', 15],
    );
    assert.deepEqual(gateway.usage(), { input: 1, output: 6, cacheRead: 8, cacheWrite: null });
    assert.ok(fixture.activity > 0);
  });

  it('does not count what never reached the endpoint, and knows nothing then', async () => {
    const fixture = await start(says(200, JSON_TYPE, MESSAGE));
    await fixture.post('/v1/messages', 'not json');
    await fetch(fixture.gateway.url, { method: 'HEAD' });
    const { gateway } = fixture;
    assert.deepEqual(
      [gateway.requests, gateway.answered, gateway.modelServed(), gateway.contextUsed()],
      [0, 0, null, null],
    );
    assert.deepEqual(gateway.usage(), {
      input: null,
      output: null,
      cacheRead: null,
      cacheWrite: null,
    });
  });

  it('says nothing to whoever lacks the token', async () => {
    let reached = 0;
    const fixture = await start(
      (_request, _body, response) => void ((reached += 1), response.end('{}')),
    );
    const { origin, pathname } = new URL(fixture.gateway.url);
    assert.match(pathname, /^\/[0-9a-f]{64}$/);
    const wrong = `${pathname.slice(0, -1)}${pathname.endsWith('0') ? '1' : '0'}`;
    for (const path of [
      '/',
      '/v1/messages',
      wrong,
      `${wrong}/v1/messages`,
      `${pathname}x/v1/messages`,
      pathname.slice(0, -1),
    ]) {
      const answer = await fetch(origin + path, { method: 'POST', body: '{}' });
      assert.equal(answer.status, 404, path);
      assert.equal(await answer.text(), '');
    }
    assert.equal(reached, 0);
    assert.equal(fixture.records.length, 0);
    assert.equal((await fetch(fixture.gateway.url, { method: 'HEAD' })).status, 200);
  });

  it('rewrites on the way out, and leaves bodies alone when told to', async () => {
    const messages = [
      { role: 'user', content: 'hi' },
      { role: 'system', content: 'r' },
    ];
    for (const isRewriting of [true, false]) {
      let got = '';
      const dumped: string[] = [];
      const fixture = await start(
        (_request, body, response) =>
          void ((got = body), response.writeHead(200, JSON_TYPE).end(MESSAGE)),
        { isRewriting, dump: (body) => dumped.push(body) },
      );
      const text = ` ${JSON.stringify({ model: 'm', messages })}`;
      await fixture.post('/v1/messages', text);
      assert.equal(got.includes('<system>'), isRewriting);
      if (!isRewriting) assert.equal(got, text);
      assert.deepEqual(dumped, [got]);
    }
  });

  const refusals: {
    name: string;
    path: string;
    body: string;
    init?: RequestInit;
    status: number;
    type: string;
    says: RegExp;
  }[] = [
    {
      name: 'a body that is not JSON',
      path: '/v1/messages',
      body: '{"a"',
      status: 400,
      type: 'invalid_request_error',
      says: /not valid JSON/,
    },
    {
      name: 'a list',
      path: '/v1/messages',
      body: '[]',
      status: 400,
      type: 'invalid_request_error',
      says: /not a JSON object/,
    },
    {
      name: 'null for count_tokens',
      path: '/v1/messages/count_tokens',
      body: 'null',
      status: 400,
      type: 'invalid_request_error',
      says: /not a JSON object/,
    },
    {
      name: 'a bottomless body',
      path: '/v1/messages',
      body: `{"messages":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      status: 400,
      type: 'invalid_request_error',
      says: /nested too deeply/,
    },
    {
      name: 'a body that is too large',
      path: '/v1/messages',
      body: 'x'.repeat(3 * 2 ** 20),
      status: 413,
      type: 'invalid_request_error',
      says: /larger than 1 MB/,
    },
    {
      name: 'an unknown packing',
      path: '/v1/messages',
      body: '{}',
      init: { headers: { 'content-encoding': 'lzma' } },
      status: 415,
      type: 'invalid_request_error',
      says: /lzma/,
    },
    {
      name: 'a broken packing',
      path: '/v1/messages',
      body: '{}',
      init: { headers: { 'content-encoding': 'gzip' } },
      status: 400,
      type: 'invalid_request_error',
      says: /unpacked as gzip/,
    },
    {
      name: 'another path',
      path: '/slots/0?action=erase',
      body: '{}',
      status: 404,
      type: 'not_found_error',
      says: /models only/,
    },
  ];
  for (const { name, path, body, init, status, type, says: words } of refusals) {
    it(`refuses ${name}`, async () => {
      let reached = 0;
      const fixture = await start(
        (_request, _body, response) => void ((reached += 1), response.end()),
        { bodyLimitBytes: 2 ** 20 },
      );
      const answer = await fixture.post(path, body, init);
      assert.equal(answer.status, status);
      const document = (await answer.json()) as {
        type: string;
        error: { type: string; message: string };
      };
      assert.equal(document.type, 'error');
      assert.equal(document.error.type, type);
      assert.match(document.error.message, words);
      assert.equal(reached, 0);
      assert.equal(fixture.records[0]?.status, status);
    });
  }

  it('refuses a packed body that unpacks beyond the limit, and takes one that does not', async () => {
    const fixture = await start(says(200, JSON_TYPE, MESSAGE), { bodyLimitBytes: 2 ** 20 });
    const pack = (text: string) => ({
      body: gzipSync(text),
      headers: { 'content-encoding': 'gzip' },
    });
    assert.equal((await fixture.post('/v1/messages', '', pack(' '.repeat(2 ** 21)))).status, 413);
    assert.equal((await fixture.post('/v1/messages', '', pack(JSON.stringify(BODY)))).status, 200);
  });

  it('passes a body whose messages are no messages, for the endpoint to refuse', async () => {
    let got: unknown;
    const fixture = await start(
      (_request, body, response) =>
        void ((got = JSON.parse(body)), response.writeHead(200, JSON_TYPE).end(MESSAGE)),
    );
    for (const body of [{ messages: 7 }, { messages: [null, 7, 'x', []] }, {}]) {
      assert.equal((await fixture.post('/v1/messages', body)).status, 200);
      assert.deepEqual(got, body);
    }
  });

  const errors: {
    name: string;
    status: number;
    body: string;
    gives: number;
    says: RegExp;
    kind: string;
  }[] = [
    {
      name: 'overflow as recorded',
      status: 400,
      body: EXCEEDED,
      gives: 400,
      says: new RegExp(TOO_LONG),
      kind: 'context_overflow',
    },
    {
      name: 'overflow with status 500',
      status: 500,
      body: EXCEEDED,
      gives: 400,
      says: new RegExp(TOO_LONG),
      kind: 'context_overflow',
    },
    {
      name: 'another error',
      status: 500,
      body: '{"error":{"message":"CUDA out of memory"}}',
      gives: 500,
      says: /^\{"error":\{"message":"CUDA out of memory"\}\}$/,
      kind: 'backend_error',
    },
    {
      name: 'an error that is not JSON',
      status: 503,
      body: 'busy',
      gives: 503,
      says: /^busy$/,
      kind: 'backend_error',
    },
    {
      name: 'a wrong key',
      status: 401,
      body: '{"error":{"message":"no"}}',
      gives: 401,
      says: /no/,
      kind: 'auth_failed',
    },
    {
      name: 'a rate limit',
      status: 429,
      body: '{"error":{"message":"slow"}}',
      gives: 429,
      says: /slow/,
      kind: 'rate_limited',
    },
    {
      name: 'an error larger than anyone reads',
      status: 500,
      body: 'x'.repeat(5 * 2 ** 20),
      gives: 500,
      says: /^x{5242880}$/,
      kind: 'backend_error',
    },
  ];
  for (const { name, status, body, gives, says: words, kind } of errors) {
    it(`passes on ${name}`, async () => {
      const fixture = await start(says(status, { ...JSON_TYPE, 'retry-after': '3' }, body));
      const record = fixture.nextRecord();
      const answer = await fixture.post('/v1/messages', BODY);
      assert.equal(answer.status, gives);
      assert.equal(answer.headers.get('retry-after'), '3');
      assert.match(await answer.text(), words);
      const { error, contextExceeded, status: recorded } = await record;
      assert.deepEqual(
        [recorded, error?.kind, contextExceeded !== null],
        [gives, kind, kind === 'context_overflow'],
      );
      assert.deepEqual([fixture.gateway.requests, fixture.gateway.answered], [1, 0]);
    });
  }

  it('translates an overflow inside a stream', async () => {
    const fixture = await start(says(200, SSE, `event: error\ndata: ${EXCEEDED}\n\n`));
    const record = fixture.nextRecord();
    const text = await (await fixture.post('/v1/messages', BODY)).text();
    assert.ok(text.includes(TOO_LONG), text);
    assert.equal((await record).error?.kind, 'context_overflow');
  });

  it('unpacks a packed answer', async () => {
    const fixture = await start(
      says(200, { ...SSE, 'content-encoding': 'gzip' }, gzipSync(STREAM)),
    );
    const record = fixture.nextRecord();
    const answer = await fixture.post('/v1/messages', BODY);
    assert.equal(answer.headers.get('content-encoding'), null);
    assert.equal(await answer.text(), STREAM);
    assert.equal((await record).usage.output, 6);
  });

  it('follows no redirect', async () => {
    const fixture = await start(says(307, { location: 'http://example.invalid/' }, ''));
    const answer = await fixture.post('/v1/messages', BODY, { redirect: 'manual' });
    assert.equal(answer.status, 502);
    assert.match(await answer.text(), /redirect \(307\)/);
  });

  it('says that nothing listens, and passes on a refusal of policy', async () => {
    const agent = new Agent();
    const closed = await start(says(200, SSE, ''), {
      upstream: { baseUrl: 'http://127.0.0.1:1', headers: {}, dispatcher: agent },
    });
    const answer = await closed.post('/v1/messages', BODY);
    assert.equal(answer.status, 502);
    assert.match(
      await answer.text(),
      /"api_error".*127\.0\.0\.1:1 could not be reached: nothing is listening/,
    );
    assert.equal(closed.gateway.requests, 0);
    const refusing = new Agent({
      connect: (...[, callback]: Parameters<buildConnector.connector>) =>
        callback(new BridgeError('policy_refused', 'Only local addresses.'), null),
    });
    const refused = await start(says(200, SSE, ''), {
      upstream: { baseUrl: 'http://127.0.0.1:1', headers: {}, dispatcher: refusing },
    });
    const refusal = await refused.post('/v1/messages', BODY);
    assert.equal(refusal.status, 403);
    assert.match(await refusal.text(), /Only local addresses/);
    assert.equal(refused.records[0]?.error?.kind, 'policy_refused');
    await Promise.all([agent.destroy(), refusing.destroy()]);
  });

  const counts: {
    name: string;
    answer: Answer;
    tokenizePath?: '/tokenize';
    tokens: number;
    source: string;
  }[] = [
    {
      name: 'by the endpoint',
      answer: says(200, JSON_TYPE, '{"input_tokens":10}'),
      tokens: 10,
      source: 'endpoint',
    },
    {
      name: 'by its tokenizer',
      answer: (request, _body, response) =>
        void (request.url === '/tokenize'
          ? response.end('{"tokens":[1,2,3]}')
          : response.writeHead(501).end()),
      tokenizePath: '/tokenize',
      tokens: 3,
      source: 'tokenizer',
    },
    { name: 'by an estimate', answer: says(404, JSON_TYPE, '{}'), tokens: 1, source: 'estimate' },
    {
      name: 'by an estimate when the tokenizer fails too',
      answer: says(404, JSON_TYPE, '{}'),
      tokenizePath: '/tokenize',
      tokens: 1,
      source: 'estimate',
    },
    {
      name: 'by an estimate when the tokenizer talks nonsense',
      answer: (request, _body, response) =>
        void response.writeHead(request.url === '/tokenize' ? 200 : 404).end('<html>'),
      tokenizePath: '/tokenize',
      tokens: 1,
      source: 'estimate',
    },
  ];
  for (const { name, answer, tokenizePath, tokens, source } of counts) {
    it(`counts tokens ${name}`, async () => {
      const fixture = await start(answer, tokenizePath ? { tokenizePath } : {});
      const record = fixture.nextRecord();
      const counted = await fixture.post('/v1/messages/count_tokens', BODY);
      assert.deepEqual(await counted.json(), { input_tokens: tokens });
      assert.equal((await record).countSource, source);
      assert.equal(fixture.gateway.requests, 0);
    });
  }

  it('ends a request in which the endpoint is silent, before and inside the answer', async () => {
    let onAsked: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (onAsked = resolve));
    const timers = new HandTimers();
    const limits = { idleTimeoutMs: 60_000, setTimer: timers.setTimer };
    const before = await start(() => onAsked(), limits);
    const record = before.nextRecord();
    const waiting = before.post('/v1/messages', BODY);
    await asked;
    timers.advance(59_999);
    await turns(10);
    assert.deepEqual([before.records.length, timers.count], [0, 1]);
    timers.advance(1);
    const answer = await waiting;
    assert.equal(answer.status, 504);
    assert.match(await answer.text(), /"timeout_error".*nothing for 60 s \(idle limit\)/);
    assert.equal((await record).error?.kind, 'idle_timeout');
    assert.deepEqual([before.gateway.requests, timers.count], [0, 0]);

    const first = STREAM.slice(0, STREAM.indexOf('\n\n') + 2);
    const inside = await start(
      (_request, _body, response) => void response.writeHead(200, SSE).write(first),
      limits,
    );
    const ended = inside.nextRecord();
    const { body } = await inside.post('/v1/messages', BODY);
    let text = '';
    for await (const chunk of body ?? []) {
      text += Buffer.from(chunk as Uint8Array).toString();
      if (text === first) timers.advance(60_000);
    }
    assert.ok(
      text.startsWith(
        `${first}event: error\ndata: {"type":"error","error":{"type":"timeout_error"`,
      ),
      text,
    );
    assert.equal((await ended).error?.kind, 'idle_timeout');
  });

  it('takes every byte of the endpoint for a sign of life, but ends what takes too long in all', async () => {
    const timers = new HandTimers();
    let next: () => void = () => undefined;
    const fixture = await start(
      (_request, _body, response) => {
        response.writeHead(200, SSE).write(': ping\n\n');
        next = () => void response.write(': ping\n\n');
      },
      { idleTimeoutMs: 10_000, totalTimeoutMs: 60_000, setTimer: timers.setTimer },
    );
    const record = fixture.nextRecord();
    const { body } = await fixture.post('/v1/messages', BODY);
    let text = '';
    for await (const chunk of body ?? []) {
      text += Buffer.from(chunk as Uint8Array).toString();
      if (text.includes('event:')) continue;
      timers.advance(9_000);
      next();
    }
    assert.equal(text.match(/ping/g)?.length, 7);
    assert.match(text, /more than 60 s \(total limit\)/);
    assert.equal((await record).error?.kind, 'timeout');
  });

  it('does not wait for a connection that never comes about, when a limit fires and when it closes', async () => {
    const timers = new HandTimers();
    // As behind a firewall that drops packets: undici looks at no signal until it is connected.
    const connecting: (() => void)[] = [];
    const silent = new Agent({
      connect: (...[, callback]: Parameters<buildConnector.connector>) => {
        connecting.push(() => callback(new Error('too late'), null));
      },
    });
    const fixture = await start(says(200, SSE, ''), {
      upstream: { baseUrl: 'http://127.0.0.1:1', headers: {}, dispatcher: silent },
      idleTimeoutMs: 5_000,
      setTimer: timers.setTimer,
    });
    const { gateway, records } = fixture;
    try {
      const first = fixture.post('/v1/messages', BODY);
      await turnsUntil(() => connecting.length > 0);
      timers.advance(5_000);
      await turnsUntil(() => records.length === 1);
      assert.match(await (await first).text(), /idle limit/);
      const second = fixture.post('/v1/messages', BODY);
      await turnsUntil(() => timers.count === 1);
      void gateway.close();
      await turnsUntil(() => records.length === 2);
      assert.match(await (await second).text(), /The job ended/);
      assert.deepEqual(
        records.map((record) => record.error?.kind),
        ['idle_timeout', 'cancelled'],
      );
    } finally {
      for (const giveUp of connecting) giveUp();
    }
    await silent.destroy();
  });

  it('does not pass half an answer off as a whole one', async () => {
    const cut = await start((_request, _body, response) => {
      response.writeHead(200, SSE).write(STREAM.slice(0, 100), () => response.destroy());
    });
    const record = cut.nextRecord();
    await assert.rejects(async () => (await cut.post('/v1/messages', BODY)).text());
    assert.equal((await record).error?.kind, 'backend_error');

    const short = await start(says(200, SSE, STREAM.slice(0, STREAM.indexOf('\n\n') + 2)));
    const ended = short.nextRecord();
    await (await short.post('/v1/messages', BODY)).text();
    assert.equal((await ended).error?.kind, 'incomplete');
    assert.equal(short.gateway.answered, 0);
  });

  it('aborts the request to the endpoint when the client leaves', async () => {
    let gone: Promise<unknown> = Promise.resolve();
    const fixture = await start((_request, _body, response) => {
      gone = once(response, 'close');
      response.writeHead(200, SSE).write(STREAM.slice(0, 100));
    });
    const leave = new AbortController();
    const answer = await fixture.post('/v1/messages', BODY, { signal: leave.signal });
    const record = fixture.nextRecord();
    leave.abort();
    await gone;
    assert.equal((await record).error?.kind, 'cancelled');
    await assert.rejects(answer.text());
  });

  it('holds the endpoint back while the client does not read, and does not call that silence', async () => {
    const chunk = Buffer.alloc(2 ** 20, `: ${'x'.repeat(1000)}\n\n`);
    const timers = new HandTimers();
    let sent = 0;
    let upstream: ServerResponse | undefined;
    const fixture = await start(
      (_request, _body, response) => {
        upstream = response.writeHead(200, SSE);
        const more = (): void => {
          while (sent < 64 && !response.destroyed) {
            sent += 1;
            if (!response.write(chunk)) return void response.once('drain', more);
          }
          response.end();
        };
        more();
      },
      { idleTimeoutMs: 10_000, setTimer: timers.setTimer },
    );
    const { port, pathname } = new URL(fixture.gateway.url);
    const client = httpRequest({
      port,
      host: '127.0.0.1',
      path: `${pathname}/v1/messages`,
      method: 'POST',
    });
    client.end(JSON.stringify(BODY));
    const [answer] = (await once(client, 'response')) as [NodeJS.ReadableStream];
    // Endpoint, gateway and client share one event loop: when many turns of it move nothing, the pipe is full.
    for (let before = -1; before !== sent;) {
      before = sent;
      await turns(200);
    }
    assert.ok(sent < 64, `${sent} MB were taken although nobody reads`);
    timers.advance(30_000);
    await turns(20);
    assert.equal(upstream?.destroyed, false);
    assert.equal(fixture.records.length, 0);
    let sizeBytes = 0;
    for await (const piece of answer) sizeBytes += (piece as Buffer).length;
    assert.equal(sizeBytes, 64 * 2 ** 20);
  });

  it('ends what is open when it closes, and records it', async () => {
    const fixture = await start(
      (_request, _body, response) => void response.writeHead(200, SSE).write(': hi\n\n'),
    );
    const answer = await fixture.post('/v1/messages', BODY);
    const idle = connect(Number(new URL(fixture.gateway.url).port), '127.0.0.1');
    await once(idle, 'connect');
    const ended = once(idle, 'close');
    await fixture.gateway.close();
    assert.match(await answer.text(), /The job ended/);
    assert.equal(fixture.records[0]?.error?.kind, 'cancelled');
    await ended;
  });

  it('throws at its end what the writer of records threw, and serves on until then', async () => {
    const fixture = await start(says(200, JSON_TYPE, MESSAGE), {
      record: () => {
        throw new BridgeError('storage_full', 'The disk is full.');
      },
    });
    for (let n = 0; n < 2; n += 1)
      assert.equal((await fixture.post('/v1/messages', BODY)).status, 200);
    await assert.rejects(fixture.gateway.close(), { kind: 'storage_full' });
  });

  it('carries the list of models', async () => {
    const fixture = await start(
      (request, _body, response) =>
        void response.writeHead(200, JSON_TYPE).end(`{"url":"${request.url}"}`),
    );
    assert.deepEqual(await (await fetch(`${fixture.gateway.url}/v1/models?limit=1`)).json(), {
      url: '/v1/models?limit=1',
    });
  });
});

/** So many turns of the event loop: whatever is ready in them is done. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Turns the event loop until something is so; fails when that takes seconds. */
async function turnsUntil(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + 5_000;
  while (!isSo()) {
    assert.ok(performance.now() < deadline, 'it did not come about');
    await turns(1);
  }
}
