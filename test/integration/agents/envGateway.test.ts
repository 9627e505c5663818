import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'mocha';
import { type BridgeWorld, bridgeWorld, script } from '../../support/bridgeWorld.ts';

const LOCAL_KEY = 'vk-local-hushed';
const CODE_KEY = 'vk-code-hushed';
const IDS = ['local-small', 'glm-big'];

interface Seen {
  readonly path: string;
  readonly model: string | null;
  readonly keys: readonly unknown[];
  readonly body: string;
}

/** A gateway as Bifrost is: everything below /litellm, one key for each lane, another name for what answered. */
async function startGateway(
  backend: string,
): Promise<{ server: Server; url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const path = request.url ?? '';
      const model =
        body.length === 0 ? null : (JSON.parse(body.toString()) as { model: string }).model;
      const keys = [request.headers['authorization'], request.headers['x-api-key']];
      seen.push({ path, model, keys, body: body.toString() });
      if (path === '/litellm/v1/models') {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ object: 'list', data: IDS.map((id) => ({ id })) }));
      } else if (/^\/litellm\/v1\/(messages|chat\/completions)/.test(path)) {
        const { method, headers } = request;
        const onward = httpRequest(
          `${backend}${path.slice('/litellm'.length)}`,
          { method, headers },
          (answer) => {
            response.writeHead(answer.statusCode ?? 502, answer.headers);
            answer.pipe(response);
          },
        );
        onward.end(body);
      } else {
        response.statusCode = 404;
        response.end();
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

describe('a gateway that variables name', function () {
  this.timeout(60_000);
  let world: BridgeWorld;
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  before(async () => {
    world = await bridgeWorld();
    gateway = await startGateway(world.rehearsal.url);
    rmSync(world.modelsFile);
  });
  after(async () => {
    await world.dispose();
    gateway.server.close();
  });

  const modelRequests = (): Seen[] =>
    gateway.seen.filter(({ path, model }) => model !== null && !path.includes('count_tokens'));

  it('bifrost: each lane has its key, in both headers, and nothing is asked outside /litellm', async () => {
    Object.assign(world.env, {
      DELEGATE_GATEWAY: ' Bifrost ',
      DELEGATE_BIFROST_URL: gateway.url,
      DELEGATE_BIFROST_VK_LOCAL: LOCAL_KEY,
      DELEGATE_BIFROST_VK_CODE: CODE_KEY,
      // Of the other gateway, which is not in use: nothing may be sent there.
      DELEGATE_LOCAL_URL: 'http://127.0.0.1:1/v1/messages',
      DELEGATE_LOCAL_KEY: 'sk-other-hushed',
    });
    for (const model of IDS) {
      const job = await world.run({ runner: 'loop', model, task: script('say: Done with it.') });
      assert.equal(job.status, 'done', JSON.stringify(job.failure));
      assert.equal(job.endpoint, 'bifrost');
    }
    const lanes = new Set(
      modelRequests().map(({ model, keys }) => `${model} ${keys.map(String).join(' ')}`),
    );
    assert.deepEqual([...lanes].sort(), [
      `glm-big Bearer ${CODE_KEY} ${CODE_KEY}`,
      `local-small Bearer ${LOCAL_KEY} ${LOCAL_KEY}`,
    ]);
    assert.deepEqual(
      gateway.seen.map(({ path }) => path).filter((path) => !path.startsWith('/litellm/')),
      [],
    );
  });

  it('litellm: one key for all of them', async () => {
    gateway.seen.length = 0;
    Object.assign(world.env, {
      DELEGATE_GATEWAY: '',
      DELEGATE_LOCAL_URL: `${gateway.url}/litellm/v1/messages`,
      DELEGATE_LOCAL_KEY: LOCAL_KEY,
    });
    for (const model of IDS) {
      const job = await world.run({ runner: 'loop', model, task: script('say: Done with it.') });
      assert.equal(job.status, 'done', JSON.stringify(job.failure));
      assert.equal(job.endpoint, 'delegate-local');
    }
    assert.deepEqual(
      new Set(modelRequests().flatMap(({ keys }) => keys)),
      new Set([`Bearer ${LOCAL_KEY}`, LOCAL_KEY]),
    );
  });

  it('the facts that variables state of every model hold in its requests', async () => {
    const marks = async (): Promise<boolean> => {
      gateway.seen.length = 0;
      const job = await world.run({ runner: 'loop', model: 'glm-big', task: script('say: Done.') });
      assert.equal(job.status, 'done', JSON.stringify(job.failure));
      return modelRequests().some(({ body }) => body.includes('cache_control'));
    };
    assert.equal(await marks(), true);
    world.env['DELEGATE_PROMPT_CACHING'] = '0';
    assert.equal(await marks(), false);
  });
});
