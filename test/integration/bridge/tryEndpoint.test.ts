import { afterEach, before, after, describe, it } from 'mocha';
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { BridgeError } from '../../../src/base/bridgeError.ts';
import type { TriedEndpoint } from '../../../src/bridge/triedEndpoint.ts';
import { type BridgeWorld, bridgeWorld } from '../../support/bridgeWorld.ts';
import { startLlamaServer } from '../../support/llamaServer.ts';
import { recorded, ReplayServer, type Routes } from '../../unit/bridge/endpoints/replayServer.ts';
import { itWithLlama } from '../llama/withLlama.ts';

const list = (...data: readonly object[]): { body: object } => ({ body: { object: 'list', data } });
const REFUSED = { status: 400, body: { type: 'error', error: { type: 'invalid_request_error' } } };
const UNKNOWN_KEY = { status: 401, body: { error: { message: 'no key' } } };

interface Known {
  readonly backend: string;
  readonly formats: readonly string[];
  readonly locality: string;
  readonly slots: number | null;
  /** Keys beside base_url that have to be written. */
  readonly written?: Readonly<Record<string, string>>;
  readonly routes: Routes;
}

const SERVERS: Readonly<Record<string, Known>> = {
  'llama.cpp, recorded': {
    ...{ backend: 'llama.cpp', formats: ['anthropic', 'openai'], locality: 'local', slots: 2 },
    routes: {
      'GET /v1/models': { headers: { server: 'llama.cpp' }, body: recorded('v1-models.json') },
      'GET /props': { body: recorded('props.json') },
      'GET /slots': { body: recorded('slots.json') },
      'GET /metrics': { headers: { 'content-type': 'text/plain' }, body: recorded('metrics.txt') },
      'POST /v1/messages': { status: 500, body: recorded('error-missing-messages.json') },
    },
  },
  vLLM: {
    ...{ backend: 'vllm', formats: ['openai'], locality: 'local', slots: null },
    routes: {
      'GET /v1/models': list({ id: 'm', owned_by: 'vllm', max_model_len: 131_072 }),
      'GET /metrics': { headers: { 'content-type': 'text/plain' }, body: 'vllm:x 0\n' },
    },
  },
  Ollama: {
    ...{ backend: 'ollama', formats: ['anthropic', 'openai'], locality: 'local', slots: null },
    routes: {
      'GET /v1/models': list({ id: 'm', owned_by: 'library' }),
      'GET /api/tags': { body: { models: [{ name: 'm' }] } },
      'GET /api/ps': { body: { models: [{ name: 'm', context_length: 32_768 }] } },
      'POST /api/show': { body: { capabilities: ['completion', 'tools'] } },
      'POST /v1/messages': REFUSED,
    },
  },
  'LM Studio': {
    ...{ backend: 'lmstudio', formats: ['openai'], locality: 'local', slots: null },
    routes: {
      'GET /v1/models': list({ id: 'm', owned_by: 'organization_owner' }),
      'GET /api/v0/models': list({
        id: 'm',
        type: 'llm',
        state: 'loaded',
        max_context_length: 1e5,
      }),
      'POST /v1/messages': {
        body: { error: 'Unexpected endpoint or method. (POST /v1/messages)' },
      },
    },
  },
  'LiteLLM that shows itself in a header': {
    ...{ backend: 'litellm', formats: ['anthropic', 'openai'], locality: 'unknown', slots: null },
    written: { backend: 'litellm' },
    routes: {
      'GET /v1/models': { headers: { 'x-litellm-version': '1' }, ...list({ id: 'glm-5.2' }) },
      'GET /v1/model/info': list({ model_name: 'glm-5.2', model_info: { max_input_tokens: 2e5 } }),
    },
  },
  'LiteLLM that is known by a second question': {
    ...{ backend: 'litellm', formats: ['anthropic', 'openai'], locality: 'unknown', slots: null },
    written: { backend: 'litellm' },
    routes: {
      'GET /v1/models': list({ id: 'm', owned_by: 'me' }),
      'GET /health/liveliness': { body: '"I\'m alive!"' },
      'POST /v1/messages': REFUSED,
    },
  },
  "a server that lists no models and takes Anthropic's messages": {
    ...{ backend: 'anthropic', formats: ['anthropic'], locality: 'local', slots: null },
    written: { backend: 'anthropic' },
    routes: { 'POST /v1/messages': REFUSED },
  },
  'one that answers as Anthropic does': {
    ...{ backend: 'anthropic', formats: ['anthropic'], locality: 'local', slots: null },
    routes: {
      'GET /v1/models': { body: { data: [{ type: 'model', id: 'm', display_name: 'M' }] } },
      'POST /v1/messages': REFUSED,
    },
  },
  'one of unknown kind': {
    ...{ backend: 'other', formats: ['openai'], locality: 'local', slots: null },
    routes: { 'GET /v1/models': list({ id: 'm', owned_by: 'me' }) },
  },
};

describe('what answers at an address, and the entry for it', function () {
  this.timeout(60_000);
  let world: BridgeWorld;
  const closers: (() => Promise<unknown>)[] = [];
  before(async () => (world = await bridgeWorld({ models: 'gates: {}\n' })));
  after(() => world.dispose());
  afterEach(async () => {
    world.writeModels('gates: {}\n');
    await Promise.all(closers.splice(0).map((close) => close()));
  });

  async function serve(routes: Routes): Promise<ReplayServer> {
    const server = await ReplayServer.start(routes);
    closers.push(() => server.stop());
    return server;
  }

  const tryAt = (address: string, more: object = {}): Promise<TriedEndpoint> =>
    world.bridge.endpoints.try(address, {
      cwd: world.repo.root,
      isToolCheckWanted: false,
      ...more,
    });

  /** The endpoint as every other part of the bridge sees it, with the entry as the only thing in models.yaml. */
  async function asConfigured(tried: TriedEndpoint): Promise<object> {
    const entry = Object.fromEntries(tried.entry.map(({ key, value }) => [key, value]));
    world.writeModels(JSON.stringify({ endpoints: { [tried.suggestedName]: entry } }));
    const overview = await world.bridge.listModels({ cwd: world.repo.root });
    // What is said of a model is not about the entry.
    const ofEntry = overview.problems.filter(({ code }) => code !== 'small_window');
    assert.deepEqual(ofEntry, [], 'nothing to say about what is written');
    const [view] = overview.endpoints;
    assert.equal(overview.endpoints.length, 1);
    return seen(view?.probe, view?.locality);
  }

  const seen = (
    probe: TriedEndpoint['probe'] | undefined,
    locality: string | undefined,
  ): object => {
    assert.ok(probe !== undefined);
    const { latencyMs: _, ...rest } = probe;
    return { ...rest, locality };
  };

  for (const [title, known] of Object.entries(SERVERS)) {
    it(`${title}: with the entry alone it is what was shown`, async () => {
      const { url } = await serve(known.routes);
      const tried = await tryAt(`${url}/v1/chat/completions`);
      assert.deepEqual(
        [tried.probe.state, tried.probe.backend, tried.formats, tried.locality, tried.tools],
        ['up', known.backend, known.formats, known.locality, null],
      );
      assert.equal(tried.probe.slots?.total ?? null, known.slots);
      assert.deepEqual(Object.fromEntries(tried.entry.map(({ key, value }) => [key, value])), {
        base_url: url,
        ...known.written,
      });
      assert.deepEqual(await asConfigured(tried), seen(tried.probe, tried.locality));
      const again = await tryAt(url);
      assert.equal(again.registeredAs, tried.suggestedName);
      assert.equal(again.suggestedName, tried.suggestedName);
    });
  }

  it('the rehearsal server, whose model calls a tool when it is asked to: found by a scan and by its address', async () => {
    const { url } = world.rehearsal;
    const tried = await tryAt(url, { isToolCheckWanted: null });
    assert.equal(tried.tools?.model, 'rehearsal');
    assert.deepEqual(await asConfigured(tried), seen(tried.probe, tried.locality));
    world.writeModels('gates: {}\n');
    const port = Number(new URL(url).port);
    const { found } = await world.bridge.endpoints.scan({ cwd: world.repo.root, ports: [port] });
    const plain = (each: TriedEndpoint | undefined): object => ({
      ...each,
      tools: null,
      probe: { ...each?.probe, latencyMs: 0 },
    });
    assert.deepEqual(plain(found[0]), plain({ ...tried, registeredAs: null }));
  });

  itWithLlama('a real llama.cpp: format, window, slots and a tool call', async (binary) => {
    const steps = [{ tool: 'report_number', input: { value: 7 } }, { text: 'Done.' }];
    const server = await startLlamaServer({ binary, steps, slots: 2, contextTokens: 16_384 });
    closers.push(() => server.stop());
    const tried = await tryAt(server.url, { isToolCheckWanted: null });
    assert.deepEqual(
      [tried.probe.backend, tried.probe.slots?.total, tried.formats.length, tried.tools?.answer],
      ['llama.cpp', 2, 2, 'yes'],
    );
    assert.equal(tried.entry.length, 1);
    assert.deepEqual(await asConfigured(tried), seen(tried.probe, tried.locality));
  });

  it('a kept key is sent where it is named and nowhere else; a server behind one shows what it is', async () => {
    const routes: Routes = { 'GET /v1/models': list({ id: 'm', owned_by: 'me' }) };
    const server = await serve(routes);
    await world.bridge.secrets.set('tower', 'sk-tried-key-0001');
    await tryAt(server.url);
    assert.ok(!JSON.stringify(server.seen).includes('sk-tried-key-0001'));
    const tried = await tryAt(server.url, { secret: 'tower' });
    assert.equal(server.seen.at(-1)?.headers['x-api-key'], 'sk-tried-key-0001');
    assert.deepEqual(tried.entry.at(-1), { key: 'api_key', value: '${secret:tower}' });
    assert.ok(!JSON.stringify(tried).includes('sk-tried-key-0001'));
    await assert.rejects(tryAt(server.url, { secret: 'nobody' }), isKind('secret_missing'));

    const closed = await serve({ 'GET /v1/models': UNKNOWN_KEY, 'POST /v1/messages': UNKNOWN_KEY });
    assert.equal((await tryAt(closed.url)).probe.why, 'wants_key');
    const unlisted = await serve({ 'POST /v1/messages': UNKNOWN_KEY });
    const wants = await tryAt(unlisted.url);
    assert.deepEqual([wants.probe.state, wants.probe.why], ['down', 'wants_key']);
  });

  it('a key that the server repeats in its answer is not told', async () => {
    await world.bridge.secrets.set('echo', 'sk-echoed-key-0002');
    const said = { error: { message: 'bad key sk-echoed-key-0002' } };
    for (const routes of [
      { 'GET /v1/models': { status: 401, body: said } },
      { 'POST /v1/messages': { status: 401, body: said } },
      {
        'GET /v1/models': list({ id: 'm', owned_by: 'me' }),
        'POST /v1/chat/completions': { status: 500, body: said },
      },
    ] as Routes[]) {
      const { url } = await serve(routes);
      const tried = await tryAt(url, { secret: 'echo', isToolCheckWanted: true });
      assert.ok(!JSON.stringify(tried).includes('sk-echoed-key-0002'), JSON.stringify(tried));
    }
  });

  it('no model is asked that would have to be loaded, that runs elsewhere or is not served, and none in a cloud', async () => {
    const ollama = (loaded: boolean, remote: string | null): Routes => ({
      ...SERVERS['Ollama']?.routes,
      'GET /api/ps': { body: { models: loaded ? [{ name: 'm' }] : [] } },
      'GET /api/tags': { body: { models: [{ name: 'm', remote_host: remote }] } },
    });
    for (const [routes, more, why] of [
      [ollama(false, null), {}, /is not loaded, and asking it would load it/],
      [ollama(true, 'https://ollama.com'), {}, /runs at https:\/\/ollama\.com/],
      [ollama(true, null), { model: 'nobody' }, /nobody is not served there/],
    ] as const) {
      const server = await serve(routes);
      const { tools } = await tryAt(server.url, { isToolCheckWanted: null, ...more });
      assert.equal(tools?.answer, 'unknown');
      assert.match(tools.why, why);
      assert.ok(server.seen.every(({ body }) => !JSON.stringify(body).includes('report_number')));
    }
    const gateway = await serve(SERVERS['LiteLLM that shows itself in a header']?.routes ?? {});
    assert.equal((await tryAt(gateway.url, { isToolCheckWanted: null })).tools, null);
    const wanted = await tryAt(gateway.url, { isToolCheckWanted: true });
    assert.equal(wanted.tools?.answer, 'unknown', 'it was asked, and has no such path');
  });

  it('of several models the loaded one with the largest window is asked', async () => {
    const server = await serve({
      'GET /v1/models': list(...['a', 'b', 'c'].map((id) => ({ id, owned_by: 'x' }))),
      'GET /api/v0/models': list(
        { id: 'a', state: 'not-loaded', max_context_length: 1e6 },
        { id: 'b', state: 'loaded', loaded_context_length: 4096 },
        { id: 'c', state: 'loaded', loaded_context_length: 8192 },
      ),
    });
    const { tools } = await tryAt(server.url, { isToolCheckWanted: null });
    assert.equal(tools?.model, 'c');
  });

  it('a pasted address is understood, or refused in words that do not repeat it', async () => {
    const { url } = world.rehearsal;
    const host = new URL(url).host;
    for (const pasted of [
      `  ${url}/ `,
      `${url}/v1`,
      `${url}/v1/`,
      `${url}/v1/messages?beta=true`,
      `${url}/v1/chat/completions`,
      host,
      `"${url}/v1",`,
    ]) {
      const tried = await tryAt(pasted);
      assert.deepEqual([tried.baseUrl, tried.probe.state], [url, 'up'], pasted);
    }
    for (const [pasted, words] of [
      ['http://me:hunter2@127.0.0.1:1', /Leave the login out/],
      ['ftp://127.0.0.1', /begins with http/],
      ['::1', /in brackets/],
      ['two words', /not an address/],
    ] as const)
      await assert.rejects(tryAt(pasted), (error) => {
        assert.ok(BridgeError.is(error, 'bad_argument'));
        assert.match(error.message, words);
        return !error.message.includes('hunter2');
      });
  });

  it('an IPv6 address is one', async () => {
    const server = createServer((_request, response) => response.end('{"data":[{"id":"six"}]}'));
    const listening = await listen(server, '::1');
    if (listening === null) return; // a machine without IPv6 has no such address
    const tried = await tryAt(`[::1]:${listening}/v1`);
    assert.equal(tried.baseUrl, `http://[::1]:${listening}`);
    assert.deepEqual([tried.locality, tried.probe.state], ['local', 'up']);
  });

  it('what lies, hangs, floods, redirects or is no server at all is a result in bounded time', async () => {
    const hanging = createServer(() => undefined);
    const endless = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const pour = (): void => {
        while (response.write('x'.repeat(65_536)));
        response.once('drain', pour);
      };
      pour();
    });
    const redirecting = createServer((_request, response) => {
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
    });
    const lying = createServer((_request, response) =>
      response.end(JSON.stringify({ data: [{ id: 'a\u001b[2J' }, { id: 7 }, null, 'x'] })),
    );
    for (const [server, why] of [
      [hanging, 'timed_out'],
      [endless, 'not_a_model_server'],
      [redirecting, 'error'],
      [lying, null],
    ] as const) {
      const started = performance.now();
      const tried = await tryAt(`http://127.0.0.1:${await listen(server)}`);
      assert.equal(tried.probe.why, why);
      assert.ok(performance.now() - started < 15_000);
      assert.ok(!JSON.stringify(tried).includes('\u001b'));
    }
    const noise = createTcpServer((socket) => socket.resume().end('SSH-2.0-x\r\n'));
    noise.listen(0, '127.0.0.1');
    closers.push(() => new Promise((done) => noise.close(done)));
    await new Promise((done) => noise.once('listening', done));
    const { port } = noise.address() as AddressInfo;
    assert.equal((await tryAt(`127.0.0.1:${port}`)).probe.state, 'down');
    const metadata = await tryAt('http://169.254.169.254');
    assert.match(metadata.probe.message ?? '', /where a cloud hands out credentials/);
  });

  it('a model that does not come to an end is not waited for when the person leaves', async () => {
    const stop = new AbortController();
    const server = createServer((request, response) => {
      if (request.url === '/v1/models') response.end('{"data":[{"id":"slow"}]}');
      else if (request.url === '/v1/chat/completions') stop.abort();
      else response.writeHead(404).end();
    });
    const address = `http://127.0.0.1:${await listen(server)}`;
    await assert.rejects(
      tryAt(address, { isToolCheckWanted: true, signal: stop.signal }),
      isKind('cancelled'),
    );
  });

  it('delegate endpoint: try writes nothing and prints the entry; add writes the kind that the entry needs', async () => {
    const { url } = await serve(SERVERS['LiteLLM that shows itself in a header']?.routes ?? {});
    const tried = await world.cli('endpoint', 'try', `${url}/v1`, '--no-tools');
    assert.equal(tried.code, 0, tried.stderr);
    const printed = tried.stdout.split('For models.yaml:\n')[1] ?? '';
    assert.deepEqual(parse(printed), {
      endpoints: { litellm: { base_url: url, backend: 'litellm' } },
    });
    const sidecar = join(dirname(world.modelsFile), 'models.local.yaml');
    assert.equal(existsSync(sidecar), false);
    const added = await world.cli('endpoint', 'add', 'gate', url);
    assert.equal(added.code, 0, added.stderr);
    assert.deepEqual(parse(readFileSync(sidecar, 'utf8')), {
      endpoints: { gate: { base_url: url, backend: 'litellm' } },
    });
    await world.bridge.endpoints.remove('gate', url, world.repo.root);
    const down = await world.cli('endpoint', 'try', 'http://127.0.0.1:1', '--json');
    assert.equal(down.code, 1);
    assert.equal(JSON.parse(down.stdout).probe.state, 'down');
    const unclear = await world.cli('endpoint', 'try', 'name', url);
    assert.equal(unclear.code, 1);
    assert.match(unclear.stderr, /"try" takes an address/);
  });

  async function listen(server: Server, host = '127.0.0.1'): Promise<number | null> {
    const isUp = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(0, host, () => resolve(true));
    });
    if (!isUp) return null;
    closers.push(
      () =>
        new Promise((done) => {
          server.closeAllConnections();
          server.close(done);
        }),
    );
    return (server.address() as AddressInfo).port;
  }
});

function isKind(kind: BridgeError['kind']): (error: unknown) => boolean {
  return (error) => BridgeError.is(error, kind);
}
