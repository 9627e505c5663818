import assert from 'node:assert/strict';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, describe, it } from 'mocha';
import { BridgeError } from '../../../../src/base/bridgeError.ts';
import {
  guardedDispatcher,
  type EgressOptions,
} from '../../../../src/bridge/endpoints/egressGuard.ts';
import type { EndpointProbe } from '../../../../src/bridge/endpoints/endpointProbe.ts';
import type { EndpointTarget } from '../../../../src/bridge/endpoints/endpointTarget.ts';
import { probeEndpoint } from '../../../../src/bridge/endpoints/probeEndpoint.ts';
import { recorded, ReplayServer, targetAt, type Answer, type Routes } from './replayServer.ts';

const LLAMA: Routes = {
  'GET /v1/models': { headers: { server: 'llama.cpp' }, body: recorded('v1-models.json') },
  'GET /props': { body: recorded('props.json') },
  'GET /slots': { body: recorded('slots-busy.json') },
  'GET /metrics': { headers: { 'content-type': 'text/plain' }, body: recorded('metrics-busy.txt') },
  'POST /v1/messages': { status: 500, body: recorded('error-missing-messages.json') },
};

function openAiList(...ids: readonly string[]): Answer {
  return {
    body: { object: 'list', data: ids.map((id) => ({ id, object: 'model', owned_by: 'me' })) },
  };
}

describe('probeEndpoint', () => {
  const servers: ReplayServer[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });

  async function serve(routes: Routes): Promise<ReplayServer> {
    const server = await ReplayServer.start(routes);
    servers.push(server);
    return server;
  }

  async function probe(
    routes: Routes,
    overrides: Partial<EndpointTarget> = {},
  ): Promise<EndpointProbe> {
    const server = await serve(routes);
    return probeEndpoint(server.target(overrides), { timeoutMs: 2500 });
  }

  describe('llama.cpp', () => {
    for (const backend of ['llama.cpp', 'other'] as const) {
      it(`reads the recorded answers of a busy server (configured as ${backend})`, async () => {
        const result = await probe(LLAMA, { backend });
        const { latencyMs, models, ...rest } = result;
        assert.ok(latencyMs >= 0);
        assert.deepEqual(rest, {
          state: 'up',
          why: null,
          message: null,
          hint: '',
          backend: 'llama.cpp',
          listsModels: true,
          slots: { total: 2, busy: 2 },
          load: { running: 2, waiting: 1, kvUsage: null },
          hasMetrics: true,
          hasTokenize: true,
          formats: ['anthropic', 'openai'],
          warnings: [],
        });
        assert.equal(models.length, 1);
        assert.deepEqual(
          { ...models[0], warning: '' },
          {
            id: 'tiny-qwen',
            context: 32768,
            contextSource: 'llama.cpp:/props n_ctx',
            warning: '',
            loaded: true,
            claimsTools: true,
            remoteHost: null,
          },
        );
        assert.match(models[0]?.warning ?? '', /32768 tokens is under 128k/);
      });
    }

    it('without --metrics and with --no-slots the slots are counted and the busy ones unknown', async () => {
      const result = await probe({
        ...LLAMA,
        'GET /slots': { status: 501, body: recorded('slots-disabled.json') },
        'GET /metrics': { status: 501, body: recorded('metrics-disabled.json') },
      });
      assert.equal(result.state, 'up');
      assert.deepEqual(result.slots, { total: 2, busy: null });
      assert.equal(result.load, null);
      assert.equal(result.hasMetrics, false);
    });

    it('without /props the window comes from the list of models', async () => {
      const result = await probe({ ...LLAMA, 'GET /props': { status: 404 } });
      assert.equal(result.models[0]?.context, 32768);
      assert.equal(result.models[0].contextSource, 'llama.cpp:/v1/models n_ctx');
    });

    it('says that it is loading', async () => {
      const result = await probe({
        'GET /v1/models': { status: 503, body: recorded('health-loading.json') },
      });
      assert.deepEqual([result.state, result.why], ['down', 'loading']);
      assert.equal(result.message, '127.0.0.1 is up and still loading its model.');
    });

    it('says that it wants a key', async () => {
      const result = await probe({
        'GET /v1/models': { status: 401, body: recorded('models-nokey.json') },
      });
      assert.deepEqual([result.state, result.why], ['down', 'wants_key']);
      assert.match(result.message ?? '', /wants a key.*HTTP 401: Invalid API Key/);
      assert.match(result.hint, /api_key/);
    });

    it('wants a key also when only the list of models is open to all', async () => {
      const nokey = { status: 401, body: recorded('props-nokey.json') };
      for (const path of ['GET /props', 'POST /v1/messages']) {
        const result = await probe({ ...LLAMA, [path]: nokey });
        assert.deepEqual([result.state, result.why], ['down', 'wants_key'], path);
        assert.deepEqual(result.models, []);
      }
    });

    it('an old server without /v1/messages speaks OpenAI only', async () => {
      const result = await probe({
        ...LLAMA,
        'POST /v1/messages': { status: 404, body: recorded('error-404.json') },
      });
      assert.deepEqual(result.formats, ['openai']);
    });

    it('a router is asked per loaded model, and never made to load one', async () => {
      const server = await serve({
        'GET /v1/models': {
          headers: { server: 'llama.cpp' },
          body: {
            data: [
              { id: 'org/cold:Q4', owned_by: 'llamacpp', status: { value: 'unloaded' } },
              { id: 'org/warm:Q4', owned_by: 'llamacpp', status: { value: 'loaded' } },
            ],
          },
        },
        'GET /props?model=org%2Fwarm%3AQ4&autoload=false': {
          body: { default_generation_settings: { n_ctx: 200000 } },
        },
      });
      const result = await probeEndpoint(server.target(), { timeoutMs: 2500 });
      assert.deepEqual(
        result.models.map((model) => [model.id, model.context, model.loaded]),
        [
          ['org/cold:Q4', null, false],
          ['org/warm:Q4', 200000, true],
        ],
      );
      const asked = server.seen.map((request) => request.line);
      assert.equal(asked.filter((line) => line.includes('cold')).length, 0);
    });
  });

  it('vLLM: window per model, load from metrics', async () => {
    const result = await probe({
      'GET /v1/models': {
        body: {
          data: [
            { id: 'GLM-5.3', owned_by: 'vllm', max_model_len: 131072 },
            { id: 'lora', max_model_len: 8192 },
          ],
        },
      },
      'GET /metrics': {
        body: 'vllm:num_requests_running{engine="0"} 2.0\nvllm:num_requests_waiting{engine="0"} 1.0\nvllm:kv_cache_usage_perc{engine="0"} 0.25\n',
      },
      'POST /v1/messages': { status: 422, body: { detail: [{ msg: 'Field required' }] } },
    });
    assert.equal(result.backend, 'vllm');
    assert.deepEqual(
      result.models.map((model) => [model.id, model.context, model.warning === null]),
      [
        ['GLM-5.3', 131072, true],
        ['lora', 8192, false],
      ],
    );
    assert.deepEqual(result.load, { running: 2, waiting: 1, kvUsage: 0.25 });
    assert.deepEqual(result.formats, ['anthropic', 'openai']);
    assert.equal(result.hasTokenize, false);
  });

  it('Ollama: windows, tools, what is loaded, and what it sends to its cloud', async () => {
    const result = await probe({
      'GET /v1/models': {
        body: {
          data: ['big:latest', 'small:7b', 'far:cloud', 'gone:1b', 'nomic:v1'].map((id) => ({
            id,
            owned_by: 'library',
          })),
        },
      },
      'GET /api/tags': {
        body: {
          models: [
            { name: 'big:latest' },
            { name: 'far:cloud', remote_host: 'https://ollama.com' },
          ],
        },
      },
      'GET /api/ps': { body: { models: [{ name: 'big:latest', context_length: 262144 }] } },
      'POST /api/show': (body) => {
        switch ((body as { model: string }).model) {
          case 'big:latest':
            return { body: { parameters: 'num_ctx 4096', capabilities: ['completion', 'tools'] } };
          case 'small:7b':
            return {
              body: {
                parameters: 'stop "<x>"\nnum_ctx                        131072\n',
                capabilities: ['completion'],
              },
            };
          case 'nomic:v1':
            return { body: { capabilities: ['embedding'] } };
          default:
            return { status: 404, body: { error: 'model not found' } };
        }
      },
      'POST /v1/messages': {
        status: 404,
        headers: { 'content-type': 'text/plain' },
        body: '404 page not found',
      },
    });
    assert.equal(result.backend, 'ollama');
    assert.deepEqual(result.formats, ['openai']);
    assert.deepEqual(
      result.models.map(({ id, context, contextSource, loaded, claimsTools, remoteHost }) => [
        id,
        context,
        contextSource,
        loaded,
        claimsTools,
        remoteHost,
      ]),
      [
        ['big:latest', 262144, 'ollama:/api/ps context_length', true, true, null],
        ['small:7b', 131072, 'ollama:/api/show num_ctx', false, false, null],
        ['far:cloud', null, null, false, null, 'https://ollama.com'],
        ['gone:1b', null, null, false, null, null],
      ],
    );
    assert.match(result.models[3]?.warning ?? '', /cuts longer prompts silently/);
  });

  it('LM Studio: is recognised by its own list, embeddings are left out', async () => {
    const lists: Routes = {
      'GET /v1/models': openAiList('coder', 'cold', 'nomic-embed'),
      'GET /api/v0/models': {
        body: {
          data: [
            {
              id: 'coder',
              type: 'llm',
              state: 'loaded',
              loaded_context_length: 131072,
              max_context_length: 262144,
              capabilities: ['tool_use'],
            },
            {
              id: 'cold',
              type: 'vlm',
              state: 'not-loaded',
              max_context_length: 32768,
              capabilities: [],
            },
            {
              id: 'nomic-embed',
              type: 'embeddings',
              state: 'not-loaded',
              max_context_length: 2048,
            },
          ],
        },
      },
      'POST /v1/messages': {
        status: 200,
        body: { error: 'Unexpected endpoint or method. (POST /v1/messages)' },
      },
    };
    for (const backend of ['other', 'lmstudio'] as const) {
      const result = await probe(lists, { backend });
      assert.equal(result.backend, 'lmstudio');
      assert.deepEqual(result.formats, ['openai']);
      assert.deepEqual(
        result.models.map((model) => [model.id, model.context, model.loaded, model.claimsTools]),
        [
          ['coder', 131072, true, true],
          ['cold', null, false, false],
        ],
      );
      assert.match(result.models[1]?.warning ?? '', /Not loaded.*at most 32768/);
    }
  });

  it('LiteLLM: windows of the aliases; an undeclared one is recognised', async () => {
    const routes: Routes = {
      'GET /v1/models': openAiList('glm-coding', 'local-qwen'),
      'GET /v1/model/info': {
        body: {
          data: [
            {
              model_name: 'glm-coding',
              model_info: { max_input_tokens: 200000, supports_function_calling: true },
            },
          ],
        },
      },
      'GET /health/liveliness': { body: '"I\'m alive!"' },
    };
    const declared = await probe(routes, { backend: 'litellm' });
    assert.deepEqual(
      declared.models.map((model) => [model.id, model.context, model.claimsTools]),
      [
        ['glm-coding', 200000, true],
        ['local-qwen', null, null],
      ],
    );
    assert.deepEqual(declared.formats, ['anthropic', 'openai']);
    assert.equal((await probe(routes)).backend, 'litellm');
    const byHeader = await probe({
      'GET /v1/models': { ...openAiList('a'), headers: { 'x-litellm-version': '1' } },
    });
    assert.equal(byHeader.backend, 'litellm');
  });

  it('plain OpenAI: the key goes out, the formats are known, nothing else is asked', async () => {
    const server = await serve({ 'GET /v1/models': openAiList('gpt-x') });
    const target = server.target({ backend: 'openai', headers: { authorization: 'Bearer k1' } });
    const result = await probeEndpoint(target, { timeoutMs: 2500 });
    assert.deepEqual([result.state, result.formats], ['up', ['openai']]);
    assert.deepEqual(
      server.seen.map((request) => [request.line, request.headers.authorization]),
      [['GET /v1/models', 'Bearer k1']],
    );
  });

  it('plain Anthropic: window from the list; a list that is missing leaves names open', async () => {
    const result = await probe(
      {
        'GET /v1/models?limit=1000': {
          body: {
            data: [{ type: 'model', id: 'claude-x', display_name: 'X', max_input_tokens: 200000 }],
          },
        },
      },
      { backend: 'anthropic' },
    );
    assert.deepEqual(
      [result.state, result.formats, result.listsModels],
      ['up', ['anthropic'], true],
    );
    assert.deepEqual(
      [result.models[0]?.context, result.models[0]?.contextSource],
      [200000, '/v1/models max_input_tokens'],
    );

    const unlisted = await probe({}, { backend: 'anthropic' });
    assert.deepEqual([unlisted.state, unlisted.listsModels, unlisted.models], ['up', false, []]);
    assert.match(unlisted.warnings[0] ?? '', /does not list its models/);
  });

  it('an address pasted with /v1/messages or a path of its own is understood', async () => {
    const server = await serve({ ...LLAMA, 'GET /api/anthropic/v1/models': openAiList('deep') });
    for (const [suffix, id] of [
      ['/v1/', 'tiny-qwen'],
      ['/v1/messages', 'tiny-qwen'],
      ['/', 'tiny-qwen'],
      ['/api/anthropic/', 'deep'],
      ['/api/anthropic/v1/messages?x=1#y', 'deep'],
    ]) {
      const result = await probeEndpoint(targetAt(`${server.url}${suffix}`), { timeoutMs: 2500 });
      assert.deepEqual(
        result.models.map((model) => model.id),
        [id],
        suffix,
      );
    }
  });

  it('a configured format is not second-guessed', async () => {
    assert.deepEqual((await probe(LLAMA, { format: 'openai' })).formats, ['openai']);
  });

  describe('what is not usable, in words', () => {
    it('nothing listens', async () => {
      const server = await serve({});
      const { port } = server;
      await servers.pop()?.stop();
      for (const host of ['127.0.0.1', 'localhost']) {
        const result = await probeEndpoint(targetAt(`http://${host}:${port}`), { timeoutMs: 2500 });
        assert.deepEqual([result.state, result.why], ['down', 'port_closed']);
        assert.equal(result.message, `${host} is up, but nothing listens on port ${port}.`);
        assert.equal(result.hint, 'Start the model server, or correct base_url.');
      }
    });

    it('no answer in time', async () => {
      const server = await serve({ 'GET /v1/models': () => null });
      const result = await probeEndpoint(server.target(), { timeoutMs: 100 });
      assert.deepEqual([result.state, result.why], ['down', 'timed_out']);
      assert.match(result.message ?? '', /did not answer within 0\.1 s/);
    });

    it('the deadline holds while the connection is still being made', async () => {
      const stuck: readonly EgressOptions[] = [
        { policy: 'local-only', lookup: () => new Promise(() => undefined) },
        { policy: 'any', lookup: async () => ['127.0.0.1'] },
      ];
      const silent = createServer((socket) => socket.resume().on('error', () => undefined));
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
      const { port } = silent.address() as AddressInfo;
      for (const options of stuck) {
        const dispatcher = guardedDispatcher(options);
        const startedAt = performance.now();
        const result = await probeEndpoint(targetAt(`https://tower:${port}`, { dispatcher }), {
          timeoutMs: 100,
        });
        // Closing must not wait for the connection either; silent.close() below waits for every socket.
        await dispatcher.close();
        assert.deepEqual([result.state, result.why], ['down', 'timed_out']);
        assert.ok(performance.now() - startedAt < 3000);
      }
      await new Promise((resolve) => silent.close(resolve));
    });

    it('a name without an address', async () => {
      const lookup = (): Promise<never> =>
        Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }));
      const dispatcher = guardedDispatcher({ policy: 'any', lookup });
      const result = await probeEndpoint(targetAt('http://nowhere.example', { dispatcher }), {
        timeoutMs: 2500,
      });
      assert.equal(result.message, 'No address is known for the name nowhere.example.');
    });

    const replies: readonly (readonly [what: string, Answer, why: string, message: RegExp])[] = [
      ['a web page', { body: '<html></html>' }, 'not_a_model_server', /not as a model server/],
      [
        'JSON that is no list',
        { body: { hello: 1 } },
        'not_a_model_server',
        /HTTP 200 for \/v1\/models/,
      ],
      [
        'a list that is none',
        { body: { data: {} } },
        'not_a_model_server',
        /not as a model server/,
      ],
      ['nothing', {}, 'not_a_model_server', /not as a model server/],
      ['404', { status: 404 }, 'not_a_model_server', /HTTP 404/],
      [
        'a redirect',
        { status: 302, headers: { location: 'http://192.0.2.1/' } },
        'error',
        /redirects.*not followed/,
      ],
      [
        'a broken server',
        { status: 500, body: { error: { message: 'CUDA\n oops' } } },
        'error',
        /HTTP 500: CUDA oops/,
      ],
      ['403', { status: 403 }, 'wants_key', /HTTP 403/],
      ['megabytes', { body: 'x'.repeat(5_000_000) }, 'not_a_model_server', /more than 4 MB/],
    ];
    for (const [what, answer, why, message] of replies) {
      it(`${what}: ${why}`, async () => {
        const result = await probe({ 'GET /v1/models': answer });
        assert.deepEqual([result.state, result.why], ['down', why]);
        assert.match(result.message ?? '', message);
      });
    }

    it('a server that is not HTTP', async () => {
      const server = createServer((socket) =>
        socket
          .end('SSH-2.0-OpenSSH_9.6\r\n')
          .resume()
          .on('error', () => undefined),
      );
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const result = await probeEndpoint(targetAt(`http://127.0.0.1:${port}`), { timeoutMs: 2500 });
      server.close();
      assert.equal(result.why, 'not_a_model_server');
      assert.match(result.message ?? '', /does not speak HTTP/);
    });

    it('TLS asked of a plain server', async () => {
      const server = await serve(LLAMA);
      const result = await probeEndpoint(targetAt(`https://127.0.0.1:${server.port}`), {
        timeoutMs: 2500,
      });
      assert.equal(result.why, 'not_a_model_server');
      assert.match(result.hint, /http:\/\//);
    });

    it('a place that the policy forbids is not asked', async () => {
      const result = await probeEndpoint(targetAt('http://192.0.2.1:9'), { timeoutMs: 2500 });
      assert.deepEqual([result.state, result.why], ['down', 'error']);
      assert.match(result.message ?? '', /local-only job may not connect to 192\.0\.2\.1/);
    });

    it('an address that is none', async () => {
      await assert.rejects(probeEndpoint(targetAt('tower'), { timeoutMs: 100 }), (error) =>
        BridgeError.is(error, 'config_invalid'),
      );
    });
  });

  it('the key that a server repeats does not get into the message', async () => {
    const key = 'sk-very-secret-key';
    const result = await probe(
      {
        'GET /v1/models': {
          status: 401,
          body: { error: { message: `Incorrect API key: ${key}` } },
        },
      },
      { headers: { authorization: `Bearer ${key}` } },
    );
    assert.equal(result.why, 'wants_key');
    assert.ok(!JSON.stringify(result).includes(key));
  });

  describe('junk in the parts leaves gaps only', () => {
    const junk: readonly (readonly [string, Answer | (() => null)])[] = [
      ['text', { body: 'NaN' }],
      ['null', { body: 'null' }],
      ['odd JSON', { body: '[null, 7, {"is_processing": "maybe", "n_ctx": -1}]' }],
      [
        'NaN metrics',
        { body: 'llamacpp:requests_processing NaN\nvllm:num_requests_running +Inf\n' },
      ],
      ['an error', { status: 500 }],
      ['megabytes', { body: 'x'.repeat(5_000_000) }],
      ['silence', () => null],
    ];
    for (const [what, answer] of junk) {
      it(what, async () => {
        const server = await serve({
          ...LLAMA,
          'GET /props': answer,
          'GET /slots': answer,
          'GET /metrics': answer,
        });
        const result = await probeEndpoint(server.target(), { timeoutMs: 400 });
        assert.equal(result.state, 'up');
        assert.deepEqual(
          result.models.map((model) => model.id),
          ['tiny-qwen'],
        );
        assert.equal(result.load, null);
        assert.ok(result.latencyMs < 2000);
      });
    }

    it('the deadline is one for all parts, and its passing is said', async () => {
      const server = await serve({
        ...LLAMA,
        'GET /props': () => null,
        'GET /slots': () => null,
        'GET /metrics': () => null,
      });
      const result = await probeEndpoint(server.target(), { timeoutMs: 300 });
      assert.ok(result.latencyMs < 800, `${result.latencyMs} ms`);
      assert.match(result.warnings.join(' '), /Not every question was answered within 0\.3 s/);
    });

    it('odd ids are left out and said, repeated ones listed once', async () => {
      const result = await probe({
        'GET /v1/models': {
          body: {
            data: [
              { id: 'a' },
              { id: 'a' },
              { id: 7 },
              null,
              { id: '' },
              { id: 'x\u001b[2J' },
              { id: '__proto__' },
            ],
          },
        },
      });
      assert.deepEqual(
        result.models.map((model) => model.id),
        ['a', '__proto__'],
      );
      assert.match(result.warnings.join(' '), /^4 listed models/);
    });
  });

  it('configured headers win over our own, in any spelling', async () => {
    const server = await serve({ 'GET /v1/models': openAiList('a') });
    const headers = { 'Anthropic-Version': '2099-01-01', 'X-Lane': 'fast' };
    await probeEndpoint(server.target({ backend: 'openai', headers }), { timeoutMs: 2500 });
    const [seen] = server.seen;
    assert.deepEqual(
      [seen?.headers['anthropic-version'], seen?.headers['x-lane']],
      ['2099-01-01', 'fast'],
    );
  });

  it('a key that cannot be a header is not shown', async () => {
    const server = await serve({ 'GET /v1/models': openAiList('a') });
    const headers = { authorization: 'Bearer sk-very\nsecret' };
    const result = await probeEndpoint(server.target({ headers }), { timeoutMs: 2500 });
    assert.equal(result.state, 'down');
    assert.doesNotMatch(JSON.stringify(result), /sk-very/);
  });

  it('can be cancelled', async () => {
    const abort = new AbortController();
    const server = await serve({
      'GET /v1/models': () => {
        abort.abort();
        return null;
      },
    });
    await assert.rejects(
      probeEndpoint(server.target(), { timeoutMs: 5000, signal: abort.signal }),
      (error) => BridgeError.is(error, 'cancelled'),
    );
  });
});
