import type { EndpointProbe } from '../endpoints/endpointProbe.ts';
import type { EndpointConfig } from '../../config/schema.ts';
import type { Locality } from '../../protocol/job.ts';

/**
 * Jobs at once on an endpoint; null: no limit of ours. `auto`: the slots that the server reports; none for vLLM, for clouds, and for
 * gateways, which pass requests on to servers with limits of their own (that is what pools are for); else one.
 */
export function endpointLimit(surveyed: {
  readonly entry: Pick<EndpointConfig, 'max_concurrent'>;
  readonly place: { readonly locality: Locality };
  readonly probe: Pick<EndpointProbe, 'backend' | 'slots'> | null;
}): number | null {
  const { entry, place, probe } = surveyed;
  if (typeof entry.max_concurrent === 'number') return entry.max_concurrent;
  const slots = probe?.slots?.total ?? 0;
  if (slots > 0) return slots;
  const isElastic =
    place.locality === 'cloud' || (probe !== null && ELASTIC_BACKENDS.has(probe.backend));
  return isElastic ? null : 1;
}

const ELASTIC_BACKENDS: ReadonlySet<string> = new Set(['vllm', 'litellm', 'bifrost']);
