import type { BridgeError } from '../../base/bridgeError.ts';
import type { Considered, Locality } from '../../protocol/job.ts';

/**
 * The rules, by what the caller gave: endpoint and model, only an endpoint (its default model, else
 * its first), only a model (found by its exact id, a glob, or a fuzzy name), or nothing (the
 * default model, else the first served).
 */
export type RouteRule =
  | 'endpoint-and-model'
  | 'endpoint-default-model'
  | 'endpoint-first-model'
  | 'model-exact'
  | 'model-glob'
  | 'model-fuzzy'
  | 'default-model'
  | 'first-served';

export type RouteDecision =
  | {
      readonly ok: true;
      readonly endpoint: string;
      readonly model: string;
      readonly locality: Locality;
      readonly rule: RouteRule;
      readonly considered: readonly Considered[];
    }
  | {
      readonly ok: false;
      /** Kinds: unknown_endpoint, model_unavailable, policy_refused, model_unsuitable. */
      readonly error: BridgeError;
      readonly considered: readonly Considered[];
    };
