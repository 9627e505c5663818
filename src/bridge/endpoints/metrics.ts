import type { ServerMetrics } from '../../protocol/job.ts';

/**
 * The counters and gauges of one reading of `/metrics`. Null: the server does not export the
 * series, or it read as junk.
 */
export type ServerCounters = Readonly<Record<keyof typeof SERIES, number | null>>;

/**
 * Series names by the figure they feed. Engines of one server export the same series with different
 * labels.
 */
const SERIES = {
  promptTokens: ['llamacpp:prompt_tokens_total', 'vllm:prompt_tokens_total'],
  promptTokensCached: ['llamacpp:prompt_tokens_cached_total'],
  promptSeconds: ['llamacpp:prompt_seconds_total'],
  generatedTokens: ['llamacpp:tokens_predicted_total', 'vllm:generation_tokens_total'],
  generatedSeconds: ['llamacpp:tokens_predicted_seconds_total'],
  prefixQueries: ['vllm:prefix_cache_queries_total', 'vllm:gpu_prefix_cache_queries_total'],
  prefixHits: ['vllm:prefix_cache_hits_total', 'vllm:gpu_prefix_cache_hits_total'],
  draftTokens: [
    'llamacpp:spec_decode_num_draft_tokens_total',
    'vllm:spec_decode_num_draft_tokens_total',
  ],
  acceptedTokens: [
    'llamacpp:spec_decode_num_accepted_tokens_total',
    'vllm:spec_decode_num_accepted_tokens_total',
  ],
  requestsRunning: ['llamacpp:requests_processing', 'vllm:num_requests_running'],
  requestsWaiting: ['llamacpp:requests_deferred', 'vllm:num_requests_waiting'],
  kvUsage: [
    'llamacpp:kv_cache_usage_ratio',
    'vllm:kv_cache_usage_perc',
    'vllm:gpu_cache_usage_perc',
  ],
} as const;

type Figure = keyof typeof SERIES;
const FIGURES = Object.keys(SERIES) as Figure[];
const FIGURE_OF = new Map<string, Figure>(
  FIGURES.flatMap((figure) => SERIES[figure].map((series) => [series, figure] as const)),
);

/**
 * Reads Prometheus text. Labelled series are added up over engines (the cache: the fullest one);
 * NaN, infinities and junk count as absent.
 */
export function parseMetrics(text: string): ServerCounters {
  const found = new Map<Figure, number>();
  for (const line of text.split('\n')) {
    const match = /^([A-Za-z_:][\w:]*)(?:\{.*\})?[ \t]+(\S+)/.exec(line);
    const figure = FIGURE_OF.get(match?.[1] ?? '');
    const value = Number(match?.[2]);
    if (figure === undefined || !Number.isFinite(value) || value < 0) continue;
    const before = found.get(figure) ?? 0;
    found.set(figure, figure === 'kvUsage' ? Math.max(before, value) : before + value);
  }
  return Object.fromEntries(
    FIGURES.map((figure) => [figure, found.get(figure) ?? null]),
  ) as unknown as ServerCounters;
}

export function hasAnyCounter(counters: ServerCounters): boolean {
  return FIGURES.some((figure) => counters[figure] !== null);
}

/**
 * What a server did between two readings; null when either is missing. The counters are of the
 * whole server: `shared` says that other jobs ran at the same time. When any counter went down the
 * server was restarted in between, and every figure is null.
 */
export function metricsDelta(
  before: ServerCounters | null,
  after: ServerCounters | null,
  shared: boolean,
): ServerMetrics | null {
  if (before === null || after === null) return null;
  const isRestarted = COUNTERS.some((figure) => {
    const end = after[figure];
    return end !== null && end < (before[figure] ?? 0);
  });
  const delta = (figure: Figure): number | null => {
    const end = after[figure];
    // A counter with labels appears with its first event, so a missing start is zero.
    return end === null || isRestarted ? null : end - (before[figure] ?? 0);
  };
  const isVllm = after.prefixQueries !== null;
  const prompt = delta('promptTokens');
  const cached = isVllm ? delta('prefixHits') : delta('promptTokensCached');
  // vLLM counts cached tokens as prompt tokens too, llama.cpp does not.
  const processed =
    isVllm && prompt !== null && cached !== null ? Math.max(0, prompt - cached) : prompt;
  const asked = isVllm
    ? delta('prefixQueries')
    : cached !== null && processed !== null
      ? cached + processed
      : null;
  const generated = delta('generatedTokens');
  return {
    shared,
    promptTokensProcessed: processed,
    promptTokensCached: cached,
    generatedTokens: generated,
    cacheHitRatio: ratio(cached, asked, 3),
    promptTps: ratio(processed, delta('promptSeconds'), 1),
    generateTps: ratio(generated, delta('generatedSeconds'), 1),
    specDecodeAcceptance: ratio(delta('acceptedTokens'), delta('draftTokens'), 3),
  };
}

const COUNTERS = FIGURES.filter(
  (figure) => !['requestsRunning', 'requestsWaiting', 'kvUsage'].includes(figure),
);

function ratio(part: number | null, whole: number | null, digits: number): number | null {
  if (part === null || whole === null || whole <= 0) return null;
  return Number((part / whole).toFixed(digits));
}
