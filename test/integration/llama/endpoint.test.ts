import assert from 'node:assert/strict';
import { describe } from 'mocha';
import type { EndpointTarget } from '../../../src/bridge/endpoints/endpointTarget.ts';
import { metricsDelta } from '../../../src/bridge/endpoints/metrics.ts';
import { probeEndpoint } from '../../../src/bridge/endpoints/probeEndpoint.ts';
import { readMetrics } from '../../../src/bridge/endpoints/readMetrics.ts';
import { probeToolCalls } from '../../../src/bridge/endpoints/toolProbe.ts';
import { runClaude } from '../rehearsal/runClaude.ts';
import { type GatewaySession, postJson, withGatewaySession } from './gatewaySession.ts';
import { itWithLlama, itWithLlamaAndClaude } from './withLlama.ts';

const LIMITS = { timeoutMs: 20_000 };
const STEPS = [{ text: 'Done.' }];
const FORMATS = ['anthropic', 'openai'] as const;

function targetOf({ server, dispatcher }: GatewaySession, headers = {}): EndpointTarget {
  return {
    name: 'llama',
    baseUrl: server.url,
    backend: 'other',
    format: 'auto',
    headers,
    dispatcher,
  };
}

const question = (words: number): object => ({
  model: 'scripted',
  max_tokens: 16,
  messages: [{ role: 'user', content: 'word '.repeat(words) }],
});

describe('endpoints on a real llama.cpp server', function () {
  this.timeout(120_000);

  itWithLlama('its window per slot, slots, formats and metrics are probed', (binary) =>
    withGatewaySession(
      { binary, steps: STEPS, contextTokens: 16_384, slots: 2 },
      async (session) => {
        const probe = await probeEndpoint(targetOf(session), LIMITS);
        assert.deepEqual([probe.state, probe.backend], ['up', 'llama.cpp']);
        assert.deepEqual(
          probe.models.map(({ id, context, claimsTools }) => [id, context, claimsTools]),
          [['scripted', 8192, true]],
        );
        assert.deepEqual(probe.slots, { total: 2, busy: 0 });
        assert.deepEqual([...probe.formats].sort(), ['anthropic', 'openai']);
        assert.deepEqual([probe.hasMetrics, probe.hasTokenize], [true, true]);
        assert.equal(probe.load?.running, 0);
      },
    ),
  );

  itWithLlama('slots are busy while they work, and free again when the client leaves', (binary) =>
    withGatewaySession({ binary, steps: STEPS, slots: 2 }, async (session) => {
      const busy = async (): Promise<number | null | undefined> =>
        (await probeEndpoint(targetOf(session), LIMITS)).slots?.busy;
      const leave = new AbortController();
      // An answer without an end: token by token, so that the server has time for questions in between.
      const answer = await fetch(`${session.server.url}/completion`, {
        method: 'POST',
        body: JSON.stringify({ prompt: 'x', n_predict: 30_000, ignore_eos: true, stream: true }),
        signal: leave.signal,
      });
      await answer.body?.getReader().read();
      assert.equal(await busy(), 1);
      leave.abort();
      const deadlineMs = performance.now() + 30_000;
      while ((await busy()) !== 0) assert.ok(performance.now() < deadlineMs, 'It stays busy.');
    }),
  );

  itWithLlama('a server with a key is said to want one, and is up with it', (binary) =>
    withGatewaySession({ binary, steps: STEPS, apiKey: 'the-key' }, async (session) => {
      const without = await probeEndpoint(targetOf(session), LIMITS);
      assert.deepEqual([without.state, without.why], ['down', 'wants_key']);
      const key = { 'x-api-key': 'the-key' };
      assert.equal((await probeEndpoint(targetOf(session, key), LIMITS)).state, 'up');
      // The gateway brings the endpoint's key, whatever the client sends.
      const answer = await postJson(`${session.gateway.url}/v1/messages`, question(1));
      assert.equal(answer.body.content[0].text, 'Done.');
    }),
  );

  itWithLlama('a model that calls tools and one that does not are told apart', async (binary) => {
    const call = { tool: 'report_number', input: { value: 7 } };
    for (const [steps, expected] of [
      [[call, ...STEPS], 'yes'],
      [STEPS, 'no'],
    ] as const) {
      await withGatewaySession({ binary, steps }, async (session) => {
        for (const format of FORMATS) {
          assert.equal(
            await probeToolCalls(targetOf(session), 'scripted', format, LIMITS),
            expected,
          );
        }
      });
    }
  });

  itWithLlama("the change of the server's counters is what the gateway saw used", (binary) =>
    withGatewaySession({ binary, steps: STEPS }, async (session) => {
      const target = targetOf(session);
      const before = await readMetrics(target, LIMITS);
      for (const words of [200, 300, 300]) {
        await postJson(`${session.gateway.url}/v1/messages`, question(words));
      }
      const delta = metricsDelta(before, await readMetrics(target, LIMITS), false);
      const usage = session.gateway.usage();
      assert.ok((usage.cacheRead ?? 0) > 200);
      assert.deepEqual(
        [delta?.promptTokensProcessed, delta?.promptTokensCached, delta?.generatedTokens],
        [usage.input, usage.cacheRead, usage.output],
      );
      assert.ok((delta?.cacheHitRatio ?? 0) > 0.2);
      assert.equal(session.gateway.modelServed(), 'scripted');
    }),
  );

  itWithLlama('tokens are counted by the server itself', (binary) =>
    withGatewaySession({ binary, steps: STEPS }, async ({ server, gateway, records }) => {
      const count = async (url: string): Promise<unknown> =>
        (await postJson(`${url}/v1/messages/count_tokens`, question(50))).body;
      assert.deepEqual(await count(gateway.url), await count(server.url));
      assert.equal(records.at(-1)?.countSource, 'endpoint');
    }),
  );

  itWithLlamaAndClaude(
    'a prompt that does not fit is said in words that Claude Code understands',
    (binary) =>
      withGatewaySession({ binary, steps: STEPS, contextTokens: 4096 }, async (session) => {
        const { gateway, records, folder } = session;
        for (const stream of [false, true]) {
          const { status, body } = await postJson(`${gateway.url}/v1/messages`, {
            ...question(5000),
            stream,
          });
          assert.equal(status, 400);
          assert.equal(body.error.type, 'invalid_request_error');
          assert.match(body.error.message, /^prompt is too long: \d+ tokens > 4096 maximum$/);
          assert.match(records.at(-1)?.contextExceeded ?? '', /exceeds the available context size/);
        }
        const { result } = await runClaude({
          cwd: folder,
          home: folder,
          baseUrl: gateway.url,
          prompt: 'Hello.',
        });
        assert.equal(result.is_error, true);
        assert.match(result.result, /Prompt is too long/);
      }),
  );
});
