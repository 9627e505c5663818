import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, it } from 'mocha';
import { Agent } from 'undici';
import type { EndpointTarget } from '../../../src/bridge/endpoints/endpointTarget.ts';
import { metricsDelta } from '../../../src/bridge/endpoints/metrics.ts';
import { probeEndpoint } from '../../../src/bridge/endpoints/probeEndpoint.ts';
import { readMetrics } from '../../../src/bridge/endpoints/readMetrics.ts';
import { probeToolCalls } from '../../../src/bridge/endpoints/toolProbe.ts';
import type { RequestRecord } from '../../../src/bridge/gateway/requestRecord.ts';
import { startGateway } from '../../../src/bridge/gateway/startGateway.ts';
import { type Rehearsal, startRehearsal } from '../../../src/rehearsal/startRehearsal.ts';
import { runClaude, toolCallsIn } from './runClaude.ts';
import { describeWithClaude } from '../../support/withClaude.ts';

const LIMITS = { timeoutMs: 10_000 };

describeWithClaude('the bridge on the rehearsal server', function () {
  this.timeout(120_000);
  let server: Rehearsal;
  let dispatcher: Agent;
  let target: EndpointTarget;

  beforeEach(async () => {
    server = await startRehearsal({ context: 150_000 });
    dispatcher = new Agent();
    target = {
      name: 'rehearsal',
      baseUrl: server.url,
      backend: 'other',
      format: 'auto',
      headers: {},
      dispatcher,
    };
  });
  afterEach(async () => {
    await server.close();
    await dispatcher.close();
  });

  it('probes it as a server with a window, slots and metrics', async () => {
    const probe = await probeEndpoint(target, LIMITS);
    assert.deepEqual(
      probe.models.map(({ id, context }) => [id, context]),
      [['rehearsal', 150_000]],
    );
    assert.deepEqual(probe.slots, { total: 4, busy: 0 });
    assert.deepEqual([probe.state, probe.hasMetrics, probe.hasTokenize], ['up', true, true]);
    assert.deepEqual([...probe.formats].sort(), ['anthropic', 'openai']);
    assert.deepEqual(probe.warnings, []);
  });

  for (const format of ['anthropic', 'openai'] as const) {
    it(`finds that it calls tools (${format})`, async () => {
      assert.equal(await probeToolCalls(target, 'rehearsal', format, LIMITS), 'yes');
    });
  }

  it('carries a session with a compaction through the gateway, and its figures agree', async () => {
    const scratch = await mkdtemp(join(tmpdir(), 'rehearsal-'));
    const before = await readMetrics(target, LIMITS);
    const records: RequestRecord[] = [];
    const gateway = await startGateway({
      upstream: { baseUrl: server.url, headers: {}, dispatcher },
      contextWindow: 60_000,
      record: (record) => records.push(record),
      onActivity: () => undefined,
      idleTimeoutMs: 10_000,
      totalTimeoutMs: null,
    });
    try {
      const lines = [1, 2, 3, 4].map((n) => `run: echo ${n} >> log.txt; seq 1 6000`);
      const { messages, result } = await runClaude({
        cwd: scratch,
        home: scratch,
        baseUrl: gateway.url,
        prompt: ['```rehearsal', ...lines, 'say: all', '```'].join('\n'),
        env: { CLAUDE_CODE_MAX_CONTEXT_TOKENS: '60000' },
      });
      assert.equal(result.result, 'all');
      assert.ok(messages.some((message) => message.subtype === 'compact_boundary'));
      assert.deepEqual(toolCallsIn(messages), ['Bash', 'Bash', 'Bash', 'Bash']);
      assert.equal(await readFile(join(scratch, 'log.txt'), 'utf8'), '1\n2\n3\n4\n');
    } finally {
      await gateway.close();
      await rm(scratch, { recursive: true, force: true });
    }
    assert.ok(records.every((record) => record.error === null));
    assert.equal(gateway.requests, server.requests());
    assert.equal(gateway.modelServed(), 'rehearsal');
    const delta = metricsDelta(before, await readMetrics(target, LIMITS), false);
    const usage = gateway.usage();
    assert.deepEqual(
      [delta?.promptTokensProcessed, delta?.generatedTokens, delta?.promptTokensCached],
      [usage.input, usage.output, 0],
    );
  });
});
