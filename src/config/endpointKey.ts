import { globScore } from './modelMatch.ts';
import type { EndpointConfig } from './schema.ts';

/**
 * The `api_key` text of an endpoint for a model (references not yet resolved); empty for none. `model` null: for a
 * request that concerns no model, such as a probe; a map of keys answers with its most general one.
 */
export function endpointKey(
  endpoint: Pick<EndpointConfig, 'api_key'>,
  model: string | null,
): string {
  if (typeof endpoint.api_key === 'string') return endpoint.api_key;
  let best = '';
  let bestScore = -Infinity;
  for (const [pattern, key] of Object.entries(endpoint.api_key)) {
    const score = model === null ? -globScore(pattern, pattern) : globScore(pattern, model);
    const fits = model === null || score >= 0;
    if (fits && (best === '' || score > bestScore)) [best, bestScore] = [key, score];
  }
  return best;
}
