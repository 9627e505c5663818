import type { EndpointTarget } from './endpointTarget.ts';
import { exchange } from './exchange.ts';
import { hasAnyCounter, parseMetrics, type ServerCounters } from './metrics.ts';

/**
 * The counters of a server now; null when it has none or does not answer in time. Never rejects: a
 * job does not fail for want of figures.
 */
export async function readMetrics(
  target: EndpointTarget,
  options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<ServerCounters | null> {
  const deadline = AbortSignal.timeout(options.timeoutMs);
  const signal =
    options.signal === undefined ? deadline : AbortSignal.any([deadline, options.signal]);
  try {
    const reply = await exchange(target, { path: '/metrics', signal });
    if (reply.status !== 200) return null;
    const counters = parseMetrics(reply.text);
    return hasAnyCounter(counters) ? counters : null;
  } catch {
    // No reading is what null says.
    return null;
  }
}
