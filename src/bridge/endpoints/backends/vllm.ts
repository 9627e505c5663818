import { asPositive } from '../jsonValue.ts';
import { hasAnyCounter, parseMetrics } from '../metrics.ts';
import type { Findings, ProbeContext } from '../probeContext.ts';

/** vLLM names the window with each model; its load is in `/metrics`. */
export async function askVllm(context: ProbeContext): Promise<Findings> {
  const reply = await context.ask({ path: '/metrics' });
  const counters = reply?.status === 200 ? parseMetrics(reply.text) : null;
  const hasMetrics = counters !== null && hasAnyCounter(counters);
  return {
    models: context.entries.map(({ id, raw }) => {
      const length = asPositive(raw['max_model_len']);
      return {
        id,
        loaded: true,
        ...(length === null ? {} : { context: length, contextSource: 'vllm:max_model_len' }),
      };
    }),
    load: hasMetrics
      ? {
          running: counters.requestsRunning,
          waiting: counters.requestsWaiting,
          kvUsage: counters.kvUsage,
        }
      : null,
    hasMetrics,
  };
}
