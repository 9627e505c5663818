import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, it } from 'mocha';
import type { RunnerName } from '../../../src/protocol/job.ts';
import { bridgeWorld, script, type BridgeWorld } from '../../support/bridgeWorld.ts';
import { whyNoClaude } from '../../support/withClaude.ts';
import { modelsPage } from '../invariants/recorder.ts';
import { describeInFarNet } from './describeInFarNet.ts';
import { FAR_ADDRESS, startFarServer } from './farServer.ts';

const BRIEF = 'the-contents-of-a-private-brief';

interface Near {
  readonly what: string;
  /** What the local server does with a request for an answer; it lists its model properly. */
  readonly answer: (farUrl: string) => RequestListener;
  /** It is gone before the job is submitted. */
  readonly isDead?: boolean;
  readonly env?: (farUrl: string) => Record<string, string>;
  /** Also with Claude Code, whose start takes seconds. */
  readonly withClaude?: boolean;
}

const says =
  (status: number, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ type: 'error', error: { type: 'x', message: 'no' } }));
  };

const NEAR: readonly Near[] = [
  { what: 'dead', answer: () => says(200), isDead: true },
  { what: 'slow: it never answers', answer: () => () => undefined },
  {
    what: 'gone in the middle of an answer',
    answer: () => (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: message_start\n');
      setImmediate(() => response.destroy());
    },
  },
  {
    what: 'overloaded: 429 and come back at once',
    answer: () => says(429, { 'retry-after': '0' }),
    withClaude: true,
  },
  { what: 'overloaded: 529', answer: () => says(529) },
  { what: 'broken: 500', answer: () => says(500) },
  ...[301, 302, 303, 307, 308].map((status): Near => ({
    what: `sends elsewhere: ${status}`,
    answer: (farUrl) => (request, response) =>
      says(status, { location: `${farUrl}${request.url}` })(request, response),
    withClaude: status === 307,
  })),
  {
    what: 'dead, with proxy variables that lead away',
    answer: () => says(200),
    isDead: true,
    env: (farUrl) => ({
      HTTP_PROXY: farUrl,
      http_proxy: farUrl,
      HTTPS_PROXY: farUrl,
      ALL_PROXY: farUrl,
      NODE_USE_ENV_PROXY: '1',
    }),
  },
];

describeInFarNet('local servers that do not do their work, beside a cloud that would', function () {
  this.timeout(120_000);
  let world: BridgeWorld;
  let far: Awaited<ReturnType<typeof startFarServer>>;
  let server: Server;
  let asked = 0;
  const FAR_PORT = 8123;
  const farUrl = `http://${FAR_ADDRESS}:${FAR_PORT}`;
  beforeEach(async () => {
    asked = 0;
    world = await bridgeWorld();
    far = await startFarServer([FAR_PORT, 80]);
  });
  afterEach(async () => {
    await world.dispose();
    server.closeAllConnections();
    server.close();
    await far.close();
  });

  /** A chain to the cloud, full failover, and a cloud that serves the same model: every way out that there is. */
  const start = async (near: Near): Promise<void> => {
    const answer = near.answer(farUrl);
    server = createServer((request, response) => {
      if (/\/v1\/models/.test(request.url ?? '')) {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(modelsPage('rehearsal'));
      } else if (request.method === 'POST') {
        asked += 1;
        request.resume();
        answer(request, response);
      } else {
        response.writeHead(404).end();
      }
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    if (near.isDead === true) server.close();
    Object.assign(world.env, near.env?.(farUrl));
    world.writeModels(
      [
        'defaults: { policy: local-only, probe_timeout_s: 1 }',
        'endpoints:',
        `  near: { base_url: "http://127.0.0.1:${port}", format: anthropic, max_concurrent: 9, env: { CLAUDE_CODE_MAX_RETRIES: "0" } }`,
        `  far: { base_url: "${farUrl}", format: anthropic }`,
        `  claimed: { base_url: "http://${FAR_ADDRESS}", locality: local }`,
        'pools: { rehearsal: { slots: 3 }, other: { slots: 3 } }',
        'failover: { when: [pool_full, error], grace_s: 1, pinned: [], chains: { "*": [other, rehearsal, "*"] } }',
        '',
      ].join('\n'),
    );
  };

  for (const near of NEAR) {
    const runners: RunnerName[] = ['loop'];
    if (near.withClaude === true && whyNoClaude === null) runners.push('claude-code');
    for (const runner of runners) {
      it(`${near.what}: ${runner}`, async () => {
        await start(near);
        const job = await world.run({
          task: `${BRIEF}\n${script('say: Never.')}`,
          runner,
          model: 'rehearsal',
          isolation: 'none',
          timeoutS: 5,
        });
        assert.notEqual(job.status, 'done');
        assert.equal(job.fallback, null);
        assert.deepEqual(far.seen(), { connections: 0, bytes: 0 }, JSON.stringify(job.failure));
        assert.equal(asked > 0, near.isDead !== true, 'the near server was asked for an answer');
        assert.ok(job.failure?.message, 'and why is said');
      });
    }

    it(`${near.what}: a plain question`, async () => {
      await start(near);
      const asking = world.bridge.complete(
        { prompt: BRIEF, model: 'rehearsal', timeoutMs: 2_000 },
        world.repo.root,
      );
      await assert.rejects(asking);
      assert.deepEqual(far.seen(), { connections: 0, bytes: 0 });
    });
  }

  it('the cloud can be reached from here: without local-only it answers', async () => {
    await start({ what: '', answer: () => says(500) });
    const answer = await world.bridge.complete(
      { prompt: 'x', endpoint: 'far', model: 'rehearsal', policy: 'any' },
      world.repo.root,
    );
    assert.equal(answer.text, 'From far away.');
    assert.ok(far.seen().bytes > 0);
  });
});
