import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import {
  hasAnyCounter,
  metricsDelta,
  parseMetrics,
  type ServerCounters,
} from '../../../../src/bridge/endpoints/metrics.ts';

const EMPTY = parseMetrics('');

function llamaCounters(values: readonly number[]): ServerCounters {
  const [prompt, cached, promptS, generated, generatedS, drafts, accepted] = values;
  return parseMetrics(`
llamacpp:prompt_tokens_total ${prompt}
llamacpp:prompt_tokens_cached_total ${cached}
llamacpp:prompt_seconds_total ${promptS}
llamacpp:tokens_predicted_total ${generated}
llamacpp:tokens_predicted_seconds_total ${generatedS}
llamacpp:spec_decode_num_draft_tokens_total ${drafts}
llamacpp:spec_decode_num_accepted_tokens_total ${accepted}`);
}

const VLLM = `# HELP vllm:prompt_tokens_total Number of prefill tokens processed.
# TYPE vllm:prompt_tokens_total counter
vllm:prompt_tokens_total{engine="0",model_name="a b"} 1000.0
vllm:prompt_tokens_total{engine="1",model_name="a b"} 200.0
llamacpp:prompt_tokens_total 5
vllm:generation_tokens_total{engine="0"} 5e1
vllm:num_requests_running{engine="0"} 1
vllm:prefix_cache_queries_total 900
vllm:prefix_cache_hits_total 450
vllm:kv_cache_usage_perc{engine="0"} 0.75
vllm:kv_cache_usage_perc{engine="1"} 0.5
something_else_total 7
`;

describe('metrics', () => {
  it('reads the recorded answer of a busy llama-server', () => {
    const text = readFileSync('test/fixtures/endpoints/llama-server/metrics-busy.txt', 'utf8');
    const counters = parseMetrics(text);
    assert.deepEqual(
      [counters.promptTokens, counters.promptTokensCached, counters.generatedTokens],
      [39, 21, 2583],
    );
    assert.deepEqual([counters.requestsRunning, counters.requestsWaiting], [2, 1]);
    assert.equal(counters.kvUsage, null);
    assert.equal(counters.prefixQueries, null);
  });

  it('adds up engines, and takes the fullest cache', () => {
    const counters = parseMetrics(VLLM);
    assert.equal(counters.promptTokens, 1205);
    assert.equal(counters.generatedTokens, 50);
    assert.equal(counters.requestsRunning, 1);
    assert.equal(counters.requestsWaiting, null);
    assert.equal(counters.kvUsage, 0.75);
  });

  it('vLLM: cached tokens are part of the prompt tokens', () => {
    assert.deepEqual(metricsDelta(EMPTY, parseMetrics(VLLM), true), {
      shared: true,
      promptTokensProcessed: 755,
      promptTokensCached: 450,
      generatedTokens: 50,
      cacheHitRatio: 0.5,
      promptTps: null,
      generateTps: null,
      specDecodeAcceptance: null,
    });
  });

  it('llama.cpp: the difference of two readings', () => {
    const before = llamaCounters([100, 50, 1, 10, 1, 0, 0]);
    const after = llamaCounters([1100, 4050, 3, 210, 3, 100, 70]);
    assert.deepEqual(metricsDelta(before, after, false), {
      shared: false,
      promptTokensProcessed: 1000,
      promptTokensCached: 4000,
      generatedTokens: 200,
      cacheHitRatio: 0.8,
      promptTps: 500,
      generateTps: 100,
      specDecodeAcceptance: 0.7,
    });
  });

  it('is null when a reading is missing', () => {
    assert.equal(metricsDelta(null, EMPTY, false), null);
    assert.equal(metricsDelta(EMPTY, null, false), null);
  });

  it('a server that was restarted in between gives no figures', () => {
    const before = llamaCounters([5000, 50, 1, 10, 1, 0, 0]);
    const after = llamaCounters([100, 60, 3, 210, 3, 100, 70]);
    const { shared, ...figures } = metricsDelta(before, after, false) ?? assert.fail();
    assert.equal(shared, false);
    assert.deepEqual([...new Set(Object.values(figures))], [null]);
  });

  for (const value of ['NaN', '+Inf', '-Inf', '-5', 'junk', '']) {
    it(`a value of '${value}' is unknown, and the rest is still read`, () => {
      const counters = parseMetrics(
        `llamacpp:prompt_tokens_total ${value}\nllamacpp:tokens_predicted_total 3`,
      );
      assert.equal(counters.promptTokens, null);
      assert.equal(counters.generatedTokens, 3);
      assert.equal(metricsDelta(counters, counters, false)?.promptTokensProcessed, null);
    });
  }

  it('labels may hold anything, and a time stamp may follow', () => {
    const text = 'vllm:num_requests_running{a="} 9",b="x"} 4 1700000000\r\n';
    assert.equal(parseMetrics(text).requestsRunning, 4);
  });

  it('takes any text without a throw or a number that is none', () => {
    const line = fc.tuple(
      fc.constantFrom('vllm:prompt_tokens_total', 'llamacpp:requests_processing', '#', 'x'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const counters = parseMetrics(lines.map((parts) => parts.join('')).join('\n'));
        for (const value of Object.values(counters))
          assert.ok(value === null || Number.isFinite(value));
      }),
    );
  });

  it('a page that is not metrics has no counter', () => {
    assert.equal(hasAnyCounter(parseMetrics('<html><body>hello 1</body></html>')), false);
    assert.equal(hasAnyCounter(parseMetrics(VLLM)), true);
  });
});
