import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, it } from 'mocha';
import { BridgeError, type ErrorKind } from '../../../src/base/bridgeError.ts';
import { guardedDispatcher } from '../../../src/bridge/endpoints/egressGuard.ts';
import type { EndpointTarget } from '../../../src/bridge/endpoints/endpointTarget.ts';
import { askTurn, type AskOptions } from '../../../src/bridge/runners/loop/wire/askTurn.ts';
import type {
  TurnAnswer,
  TurnRequest,
  TurnTrace,
} from '../../../src/bridge/runners/loop/wire/turnTypes.ts';
import { turnRequest } from '../../unit/bridge/runners/loop/wire/histories.ts';
import { END, piece, sse, STREAM, WireServer, type Respond } from './wireServer.ts';

const KEY = 'sk-a-secret-that-must-not-show';

interface Outcome {
  readonly answer: TurnAnswer | null;
  readonly error: BridgeError | null;
  readonly traces: readonly TurnTrace[];
}

/** One attempt in the chat format, with limits that no test meets by accident. */
async function ask(
  target: EndpointTarget,
  options: Partial<AskOptions> & { request?: Partial<TurnRequest> } = {},
): Promise<Outcome> {
  const traces: TurnTrace[] = [];
  const { request, ...rest } = options;
  let answer: TurnAnswer | null = null;
  let error: BridgeError | null = null;
  try {
    answer = await askTurn(target, turnRequest({ format: 'openai', ...request }), {
      endpoint: 'tower',
      signal: new AbortController().signal,
      timeoutMs: 90_000,
      idleTimeoutMs: 90_000,
      onTrace: (trace) => traces.push(trace),
      ...rest,
    });
  } catch (thrown) {
    assert.ok(thrown instanceof BridgeError, String(thrown));
    error = thrown;
  }
  return { answer, error, traces };
}

interface Failure {
  readonly kind: ErrorKind;
  readonly status: number | null;
  readonly isRetryable: boolean;
  readonly hadFirstToken?: boolean;
  readonly retryAfterS?: number | null;
  readonly says?: RegExp;
}

function assertFailure({ answer, error, traces }: Outcome, expected: Failure): void {
  assert.equal(answer, null);
  const { endpoint, status, is_retryable, had_first_token, retry_after_s } = error?.details ?? {};
  assert.deepEqual(
    { kind: error?.kind, endpoint, status, is_retryable, had_first_token, retry_after_s },
    {
      kind: expected.kind,
      endpoint: 'tower',
      status: expected.status,
      is_retryable: expected.isRetryable,
      had_first_token: expected.hadFirstToken ?? false,
      retry_after_s: expected.retryAfterS ?? null,
    },
    error?.message,
  );
  if (expected.says !== undefined) assert.match(error?.message ?? '', expected.says);
  assert.equal(traces.length, 1);
  assert.deepEqual([traces[0]?.status, traces[0]?.error], [expected.status, error?.message]);
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Respond =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
const stream =
  (body: string): Respond =>
  (response) => {
    response.writeHead(200, STREAM);
    response.end(body);
  };

describe('askTurn', function () {
  this.timeout(30_000);
  const servers: WireServer[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });
  async function serve(respond: Respond, host?: string): Promise<WireServer> {
    const server = await WireServer.start(respond, host);
    servers.push(server);
    return server;
  }

  describe('answers', () => {
    it('tells of each piece as it comes and of the attempt when it is over', async () => {
      const told: string[] = [];
      const begun = Promise.withResolvers<void>();
      let toldBefore = -1;
      const server = await serve((response) => {
        response.writeHead(200, STREAM);
        response.write(sse(piece('Hel')));
        // The rest is only sent once the first piece was told of.
        void begun.promise.then(() => response.end(sse(piece('lo'), END)));
      });
      const { answer, traces } = await ask(server.target(), {
        onFirstToken: () => (toldBefore = told.length),
        onDelta: (kind, said) => {
          told.push(`${kind} ${said}`);
          begun.resolve();
        },
      });
      assert.deepEqual(told, ['text Hel', 'text lo']);
      assert.equal(toldBefore, 0);
      assert.deepEqual(answer?.blocks, [{ type: 'text', text: 'Hello' }]);
      const [trace] = traces;
      assert.equal(traces.length, 1);
      assert.deepEqual([trace?.status, trace?.modelServed, trace?.error], [200, 'served', null]);
      assert.equal(trace?.bytesOut, Number(server.seen[0]?.headers['content-length']));
      assert.equal(trace?.bytesIn, sse(piece('Hel'), piece('lo'), END).length);
      assert.ok((trace?.msFirstByte ?? -1) >= 0 && (trace?.msTotal ?? -1) >= 0);
    });

    for (const format of ['anthropic', 'openai'] as const) {
      it(`asks as the ${format} format has it`, async () => {
        const server = await serve(json(500, {}));
        await ask(server.target({ headers: { 'X-Api-Key': KEY } }), { request: { format } });
        const [seen] = server.seen;
        assert.equal(seen?.path, format === 'anthropic' ? '/v1/messages' : '/v1/chat/completions');
        const { accept, 'x-api-key': key, 'anthropic-version': version } = seen?.headers ?? {};
        assert.deepEqual(
          [accept, key, version],
          ['text/event-stream', KEY, format === 'anthropic' ? '2023-06-01' : undefined],
        );
      });
    }

    it('only LiteLLM is told not to retry, unless the endpoint is configured otherwise', async () => {
      const server = await serve(json(500, {}));
      await ask(server.target({ backend: 'litellm' }));
      await ask(server.target());
      await ask(server.target({ backend: 'litellm', headers: { 'X-LiteLLM-Num-Retries': '3' } }));
      const sent = server.seen.map(({ headers }) => headers['x-litellm-num-retries']);
      assert.deepEqual(sent, ['0', undefined, '3']);
    });

    it('turns in a row share connections', async () => {
      const server = await serve(stream(`${sse(piece('a'), END)}data: [DONE]\n\n`));
      const target = server.target();
      for (let turn = 0; turn < 10; turn += 1) assert.ok((await ask(target)).answer);
      // A connection is free again one tick after its answer ended, so the next turn may open a second one.
      assert.ok(server.connections <= 2, String(server.connections));
    });

    it('a server that never closes its stream does not hold the turn', async () => {
      const server = await serve((response) => {
        response.writeHead(200, STREAM);
        response.write(`${sse(piece('a'), END)}data: [DONE]\n\n`);
      });
      const { answer } = await ask(server.target());
      assert.equal(answer?.stopReason, 'end_turn');
      await server.until(() => server.openConnections === 0);
    });

    it('a reset after the end of the answer is of no interest', async () => {
      const server = await serve((response) => {
        response.writeHead(200, STREAM);
        response.write(`${sse(piece('a'), END)}data: [DONE]\n\n`, () => response.destroy());
      });
      assert.equal((await ask(server.target())).answer?.stopReason, 'end_turn');
    });

    it('a stream that ends early is an answer with an unknown end', async () => {
      const server = await serve(stream(sse(piece('Hel'))));
      const { answer } = await ask(server.target());
      assert.deepEqual(
        [answer?.stopReason, answer?.blocks],
        ['unknown', [{ type: 'text', text: 'Hel' }]],
      );
    });

    it('a document in place of a stream, and a stream under another name, are answers', async () => {
      const document = {
        choices: [{ message: { content: 'a' }, finish_reason: 'stop' }],
      };
      for (const respond of [
        json(200, document),
        json(200, sse(piece('a'), END)),
        json(201, document, { 'content-type': 'text/plain' }),
      ]) {
        const server = await serve(respond);
        const { answer } = await ask(server.target());
        assert.deepEqual(answer?.blocks, [{ type: 'text', text: 'a' }]);
      }
    });

    it('a packed answer is unpacked', async () => {
      const server = await serve((response) => {
        response.writeHead(200, { ...STREAM, 'content-encoding': 'gzip' });
        response.end(gzipSync(sse(piece('a'), END)));
      });
      assert.deepEqual((await ask(server.target())).answer?.blocks, [{ type: 'text', text: 'a' }]);
      assert.equal(server.seen[0]?.headers['accept-encoding'], 'identity');
    });

    it('a model that only a gateway names in its header is the one that answered', async () => {
      const served = async (chunk: object) => {
        const server = await serve((response) => {
          response.writeHead(200, { ...STREAM, 'X-Bifrost-Resolved-Model': 'glm-5' });
          response.end(sse(chunk, END));
        });
        return (await ask(server.target())).answer?.modelServed;
      };
      assert.equal(await served({ choices: [{ delta: { content: 'a' } }] }), 'glm-5');
      assert.equal(await served(piece('a')), 'served');
    });

    it('halves of characters do not reach the server', async () => {
      const server = await serve(stream(sse(piece('a'), END)));
      const messages = [{ role: 'user' as const, text: 'cut \ud83d' }];
      await ask(server.target(), { request: { messages } });
      assert.ok(JSON.stringify(server.seen[0]?.body).includes('cut \ufffd'));
    });
  });

  describe('statuses', () => {
    const words = { error: { message: 'These words.', type: 'x' } };
    const table: [status: number, body: unknown, failure: Omit<Failure, 'status'>][] = [
      [400, words, { kind: 'backend_error', isRetryable: false, says: /HTTP 400: These words\./ }],
      [401, words, { kind: 'auth_failed', isRetryable: false, says: /These words/ }],
      [403, words, { kind: 'auth_failed', isRetryable: false }],
      [404, words, { kind: 'backend_error', isRetryable: false }],
      [
        404,
        { error: { message: 'model "m" not found' } },
        { kind: 'model_unavailable', isRetryable: false },
      ],
      [408, words, { kind: 'backend_error', isRetryable: false }],
      [
        422,
        { detail: [{ loc: ['body', 'tools'], msg: 'not a list' }] },
        { kind: 'backend_error', isRetryable: false, says: /body\.tools not a list/ },
      ],
      [429, words, { kind: 'rate_limited', isRetryable: true, says: /HTTP 429: These words/ }],
      [
        429,
        { error: { message: 'Of the maximum context length, too many tokens a minute.' } },
        { kind: 'rate_limited', isRetryable: true },
      ],
      [500, words, { kind: 'backend_error', isRetryable: true }],
      [
        502,
        '<html><title>502 Bad\nGateway</title></html>',
        { kind: 'backend_error', isRetryable: true, says: /HTTP 502: 502 Bad Gateway/ },
      ],
      [503, 'Loading model', { kind: 'backend_error', isRetryable: true, says: /Loading model/ }],
      [504, '', { kind: 'backend_error', isRetryable: true }],
      [
        529,
        words,
        { kind: 'rate_limited', isRetryable: true, says: /overloaded \(HTTP 529: These/ },
      ],
      [501, words, { kind: 'backend_error', isRetryable: false }],
    ];
    for (const [status, body, failure] of table) {
      it(`${status} with ${JSON.stringify(body).slice(0, 40)} is ${failure.kind}`, async () => {
        const server = await serve(json(status, body));
        assertFailure(await ask(server.target()), { status, ...failure });
      });
    }

    for (const format of ['anthropic', 'openai'] as const) {
      it(`a request that does not fit is told apart, with the counts (${format})`, async () => {
        const said =
          'request (70009 tokens) exceeds the available context size (32768 tokens), try increasing it';
        for (const status of [400, 500]) {
          const server = await serve(json(status, { error: { code: status, message: said } }));
          const outcome = await ask(server.target(), { request: { format } });
          assertFailure(outcome, { kind: 'context_overflow', status, isRetryable: false });
          const { prompt_tokens, window_tokens } = outcome.error?.details ?? {};
          assert.deepEqual([prompt_tokens, window_tokens], [70_009, 32_768]);
        }
      });
    }

    const MINUTE_AHEAD = new Date(Date.now() + 3_600_000).toUTCString();
    const waits: [name: string, headers: Record<string, string>, waitS: number | null][] = [
      ['seconds', { 'Retry-After': '7' }, 7],
      ['zero', { 'Retry-After': '0' }, 0],
      ['more than two minutes', { 'Retry-After': '274579000' }, 120],
      ['a date long after', { 'Retry-After': MINUTE_AHEAD }, 120],
      ['a date that is over', { 'Retry-After': 'Wed, 21 Oct 2015 07:28:00 GMT' }, 0],
      ['milliseconds', { 'retry-after-ms': '1500' }, 1.5],
      ['nonsense', { 'Retry-After': 'soon' }, null],
      ['a negative number', { 'Retry-After': '-5' }, null],
    ];
    for (const [name, headers, retryAfterS] of waits) {
      for (const status of [429, 503, 529]) {
        it(`Retry-After as ${name} (${status})`, async () => {
          const server = await serve(json(status, words, headers));
          const { error } = await ask(server.target());
          assert.equal(error?.details['retry_after_s'], retryAfterS);
        });
      }
    }

    it('a wait that is only in the words', async () => {
      const said = 'No deployments available for selected model, Try again in 7 seconds.';
      const wait = async (status: number, headers: Record<string, string> = {}) => {
        const server = await serve(json(status, { error: { message: said } }, headers));
        return (await ask(server.target())).error?.details['retry_after_s'];
      };
      assert.deepEqual(
        [
          await wait(429),
          await wait(503),
          await wait(429, { 'retry-after': '2' }),
          await wait(400),
        ],
        [7, 7, 2, null],
      );
    });

    it('a redirect is not followed', async () => {
      const elsewhere = await serve(stream(sse(piece('a'), END)));
      for (const status of [301, 302, 307, 308]) {
        const location = `http://127.0.0.1:${elsewhere.port}/v1/chat/completions`;
        const server = await serve(json(status, '', { location }));
        assertFailure(await ask(server.target()), {
          kind: 'backend_error',
          status,
          isRetryable: false,
          says: /redirects/,
        });
      }
      assert.equal(elsewhere.connections, 0);
    });

    it('an error whose words break off is still that error', async () => {
      const server = await serve((response) => {
        response.writeHead(401, { 'content-length': 100 });
        response.write('These', () => response.destroy());
      });
      assertFailure(await ask(server.target()), {
        kind: 'auth_failed',
        status: 401,
        isRetryable: false,
        says: /HTTP 401/,
      });
    });

    it('a limit counts for the words of an error too', async () => {
      const server = await serve((response) => {
        response.writeHead(500);
        response.write('These');
      });
      assertFailure(await ask(server.target(), { idleTimeoutMs: 100 }), {
        kind: 'idle_timeout',
        status: 500,
        isRetryable: true,
      });
    });

    it('an error that does not end is not read to its end', async () => {
      const server = await serve((response) => {
        response.writeHead(500);
        const write = (): void => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
        };
        response.on('drain', write);
        write();
      });
      const outcome = await ask(server.target());
      assertFailure(outcome, { kind: 'backend_error', status: 500, isRetryable: true });
      assert.ok((outcome.traces[0]?.bytesIn ?? 0) < 2 ** 20);
      assert.ok((outcome.error?.message.length ?? 0) < 500);
      await server.until(() => server.openConnections === 0);
    });
  });

  describe('answers that are none', () => {
    const table: [name: string, respond: Respond, failure: Omit<Failure, 'kind' | 'status'>][] = [
      [
        'a web page',
        json(200, '<html><title>Sign in</title></html>', { 'content-type': 'text/html' }),
        { isRetryable: false, says: /HTTP 200, but with a web page \("Sign in"\)/ },
      ],
      ['nothing', stream(''), { isRetryable: true, says: /nothing at all/ }],
      ['a text', json(200, 'OK'), { isRetryable: false, says: /not JSON/ }],
      ['half a document', json(200, '{"choi'), { isRetryable: true, says: /breaks off/ }],
      ['another document', json(200, { ok: 1 }), { isRetryable: false, says: /JSON that is none/ }],
      ['an empty stream', stream('data: [DONE]\n\n'), { isRetryable: true, says: /nothing in it/ }],
    ];
    for (const [name, respond, failure] of table) {
      it(name, async () => {
        const server = await serve(respond);
        const expected = { kind: 'backend_error' as const, status: 200, ...failure };
        assertFailure(await ask(server.target()), expected);
      });
    }

    it('an answer that does not end is cut at its limit, and its connection closed', async () => {
      const server = await serve((response) => {
        response.writeHead(200, STREAM);
        const chunk = sse(piece('x'.repeat(65_536)));
        const write = (): void => {
          while (!response.destroyed && response.write(chunk));
        };
        response.on('drain', write);
        write();
      });
      const outcome = await ask(server.target());
      assertFailure(outcome, {
        kind: 'backend_error',
        status: 200,
        isRetryable: false,
        hadFirstToken: true,
        says: /more than 32 MB/,
      });
      assert.ok((outcome.traces[0]?.bytesIn ?? Infinity) < 34 * 2 ** 20);
      await server.until(() => server.openConnections === 0);
    });
  });

  describe('errors within an answer', () => {
    const table: [name: string, error: unknown, kind: ErrorKind, isRetryable: boolean][] = [
      ['a type that may pass', { type: 'api_error', message: 'm' }, 'backend_error', true],
      ['no type', { message: 'm' }, 'backend_error', true],
      ['a text', 'm', 'backend_error', true],
      ['overloaded', { type: 'overloaded_error', message: 'm' }, 'rate_limited', true],
      ['a rate limit', { type: 'rate_limit_error', message: 'm' }, 'rate_limited', true],
      ["LiteLLM's 429", { type: 'None', code: '429', message: 'm' }, 'rate_limited', true],
      ["llama.cpp's 500", { type: 'server_error', code: 500, message: 'm' }, 'backend_error', true],
      ['a conflict', { code: 409, message: 'm' }, 'backend_error', true],
      ['a client that is wrong', { code: 422, message: 'm' }, 'backend_error', false],
      ['a wrong request', { type: 'invalid_request_error', message: 'm' }, 'backend_error', false],
      ['a wrong key', { type: 'authentication_error', message: 'm' }, 'auth_failed', false],
      ['a key by its code', { code: 'invalid_api_key', message: 'm' }, 'auth_failed', false],
      ['no permission', { type: 'permission_error', message: 'm' }, 'auth_failed', false],
      ['no money', { type: 'billing_error', message: 'm' }, 'backend_error', false],
      [
        'no such model',
        { type: 'not_found_error', message: 'model m' },
        'model_unavailable',
        false,
      ],
      ['no such thing', { type: 'not_found_error', message: 'm' }, 'backend_error', false],
      ['401 as a code', { code: 401, message: 'm' }, 'auth_failed', false],
      [
        'a full window',
        { code: 400, message: 'prompt is too long: 9 tokens > 5 maximum' },
        'context_overflow',
        false,
      ],
    ];
    for (const [name, error, kind, isRetryable] of table) {
      it(`${name}, before and after the first token`, async () => {
        const early = await serve(stream(sse({ error })));
        assertFailure(await ask(early.target()), { kind, status: 200, isRetryable });
        const late = await serve((response) => {
          response.writeHead(200, STREAM);
          // The stream stays open: it is we who have to leave.
          response.write(sse(piece('a'), { error }));
        });
        assertFailure(await ask(late.target()), {
          kind,
          status: 200,
          isRetryable,
          hadFirstToken: true,
        });
        await late.until(() => late.openConnections === 0);
      });
    }
  });

  describe('connections', () => {
    it('nobody listens', async () => {
      const server = await serve(json(200, {}));
      const target = server.target();
      await server.stop();
      const outcome = await ask({ ...target, dispatcher: guardedDispatcher({ policy: 'any' }) });
      assertFailure(outcome, { kind: 'backend_unreachable', status: null, isRetryable: true });
    });

    it('reset before an answer', async () => {
      const server = await serve((response) => response.destroy());
      assertFailure(await ask(server.target()), {
        kind: 'backend_unreachable',
        status: null,
        isRetryable: true,
      });
    });

    it('reset before the first token', async () => {
      const server = await serve((response) => {
        response.writeHead(200, STREAM);
        response.write(': hello\n\n', () => response.destroy());
      });
      assertFailure(await ask(server.target()), {
        kind: 'backend_error',
        status: 200,
        isRetryable: true,
        says: /broke off/,
      });
    });

    it('reset in the middle of an answer', async () => {
      const server = await serve((response) => {
        response.writeHead(200, STREAM);
        response.write(sse(piece('a')), () => response.destroy());
      });
      assertFailure(await ask(server.target()), {
        kind: 'backend_error',
        status: 200,
        isRetryable: true,
        hadFirstToken: true,
      });
    });

    it('an address that the policy refuses', async () => {
      const server = await serve(json(200, {}));
      const dispatcher = guardedDispatcher({ policy: 'local-only', isAllowed: () => false });
      assertFailure(await ask(server.target({ dispatcher })), {
        kind: 'policy_refused',
        status: null,
        isRetryable: false,
      });
      assert.equal(server.connections, 0);
    });
  });

  describe('time limits', () => {
    it('silence before the answer of a server that streams', async () => {
      const server = await serve(() => undefined);
      assertFailure(await ask(server.target(), { idleTimeoutMs: 100 }), {
        kind: 'idle_timeout',
        status: null,
        isRetryable: true,
        says: /0\.1 s/,
      });
      await server.until(() => server.openConnections === 0);
    });

    it('a server that does not stream may be silent as long as the whole attempt may take', async () => {
      const server = await serve((response) => {
        setTimeout(() => {
          response.writeHead(200);
          response.end('{"choices":[{"message":{"content":"a"},"finish_reason":"stop"}]}');
        }, 300);
      });
      const { answer } = await ask(server.target(), {
        idleTimeoutMs: 50,
        request: { isStreaming: false },
      });
      assert.equal(answer?.stopReason, 'end_turn');
      const silent = await serve(() => undefined);
      assertFailure(
        await ask(silent.target(), { timeoutMs: 100, request: { isStreaming: false } }),
        { kind: 'timeout', status: null, isRetryable: true },
      );
    });

    it('silence within an answer', async () => {
      const server = await serve((response) => {
        response.writeHead(200, STREAM);
        response.write(sse(piece('a')));
      });
      assertFailure(await ask(server.target(), { idleTimeoutMs: 100 }), {
        kind: 'idle_timeout',
        status: 200,
        isRetryable: true,
        hadFirstToken: true,
      });
      await server.until(() => server.openConnections === 0);
    });

    it('comments end a silence, but not the whole attempt', async () => {
      const server = await serve((response) => {
        response.writeHead(200, STREAM);
        const beat = setInterval(() => response.write(': ping\n\n'), 20);
        response.on('close', () => clearInterval(beat));
      });
      const outcome = await ask(server.target(), { idleTimeoutMs: 800, timeoutMs: 2000 });
      assertFailure(outcome, { kind: 'timeout', status: 200, isRetryable: true, says: /2 s/ });
      await server.until(() => server.openConnections === 0);
    });
  });

  describe('abort', () => {
    it('before it began: nothing is sent', async () => {
      const server = await serve(json(200, {}));
      assertFailure(await ask(server.target(), { signal: AbortSignal.abort() }), {
        kind: 'cancelled',
        status: null,
        isRetryable: false,
      });
      assert.equal(server.connections, 0);
    });

    it('while connecting: at once, and nothing is ever sent', async () => {
      const server = await serve(json(200, {}));
      const looked = Promise.withResolvers<void>();
      const address = Promise.withResolvers<string[]>();
      const dispatcher = guardedDispatcher({
        policy: 'local-only',
        lookup: () => {
          looked.resolve();
          return address.promise;
        },
      });
      const controller = new AbortController();
      const target = server.target({ dispatcher, baseUrl: `http://tower.test:${server.port}` });
      const asked = ask(target, { signal: controller.signal });
      await looked.promise;
      controller.abort();
      assertFailure(await asked, { kind: 'cancelled', status: null, isRetryable: false });
      address.resolve(['127.0.0.1']);
      // Closes once what is connecting is connected and what is queued is through.
      await dispatcher.close();
      assert.deepEqual(server.seen, []);
    });

    it('while waiting for the answer: the connection closes', async () => {
      const controller = new AbortController();
      const server = await serve(() => controller.abort());
      assertFailure(await ask(server.target(), { signal: controller.signal }), {
        kind: 'cancelled',
        status: null,
        isRetryable: false,
      });
      await server.until(() => server.openConnections === 0);
    });

    it('within the answer: the connection closes, and nothing is told of after it', async () => {
      const controller = new AbortController();
      const told: string[] = [];
      const server = await serve((response) => {
        response.writeHead(200, STREAM);
        const beat = setInterval(() => response.write(sse(piece('a'))), 5);
        response.on('close', () => clearInterval(beat));
      });
      const outcome = await ask(server.target(), {
        signal: controller.signal,
        onDelta: (_, said) => {
          told.push(said);
          if (told.length === 3) controller.abort();
        },
      });
      assertFailure(outcome, {
        kind: 'cancelled',
        status: 200,
        isRetryable: false,
        hadFirstToken: true,
      });
      await server.until(() => server.openConnections === 0);
      assert.equal(told.length, 3);
    });

    it('with a reason of ours: the error is that reason, and not for another attempt', async () => {
      const controller = new AbortController();
      const server = await serve(() =>
        controller.abort(new BridgeError('timeout', 'The job took too long.')),
      );
      const outcome = await ask(server.target(), { signal: controller.signal });
      assertFailure(outcome, {
        kind: 'timeout',
        status: null,
        isRetryable: false,
        says: /^The job took too long\.$/,
      });
    });

    it('leaves no listener on the signal', async () => {
      const controller = new AbortController();
      const server = await serve(stream(sse(piece('a'), END)));
      const target = server.target();
      for (const signal of [controller.signal, AbortSignal.abort()]) {
        await ask(target, { signal });
        assert.equal(getEventListeners(signal, 'abort').length, 0);
      }
    });
  });

  it('no key of the endpoint is in any error, whatever the server repeats', async () => {
    const echo = `You sent ${KEY}, that is wrong.`;
    const responds: Respond[] = [
      json(401, { error: { message: echo } }),
      json(400, { detail: echo }),
      json(503, echo),
      json(529, { error: echo }),
      json(502, `<title>${echo}</title>`),
      json(200, `<title>${echo}</title>`),
      json(200, { msg: echo }),
      stream(sse({ error: { message: echo } })),
      stream(`event: error\ndata: ${echo}\n\n`),
      json(400, { error: { message: `${echo} maximum context length is 5 tokens` } }),
    ];
    for (const respond of responds) {
      const server = await serve(respond);
      const { error, traces } = await ask(
        server.target({ headers: { authorization: `Bearer ${KEY}` } }),
      );
      const shown = JSON.stringify([error?.message, error?.hint, error?.details, traces]);
      assert.ok(error !== null && shown.includes('[redacted]'), shown);
      assert.ok(!shown.includes(KEY), shown);
    }
  });
});
