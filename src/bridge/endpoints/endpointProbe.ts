import type { Backend } from '../../config/endpointSchema.ts';
import type { WireFormat } from './endpointTarget.ts';

/** A model id that an endpoint answers for right now. */
export interface ServedModel {
  readonly id: string;
  /** Tokens that one request may use (per slot); null when the server does not say. */
  readonly context: number | null;
  /** Where `context` comes from, e.g. `llama.cpp:/props n_ctx`. */
  readonly contextSource: string | null;
  /** One sentence about what makes this model a poor choice. */
  readonly warning: string | null;
  /**
   * Whether it is in memory; null when the server does not say. The first request to one that is
   * not may take minutes.
   */
  readonly loaded: boolean | null;
  /**
   * Whether the server claims that it can call tools; null when it does not say. A claim, not a
   * test.
   */
  readonly claimsTools: boolean | null;
  /** The host to which the server itself sends requests for this model (Ollama's cloud models). */
  readonly remoteHost: string | null;
}

/** Why an endpoint cannot be used. */
export type DownReason =
  | 'port_closed'
  | 'host_down'
  | 'timed_out'
  | 'wants_key'
  | 'loading'
  | 'not_a_model_server'
  | 'error';

export interface EndpointProbe {
  readonly state: 'up' | 'down';
  readonly why: DownReason | null;
  /** What is wrong, one sentence; null when the endpoint is up. */
  readonly message: string | null;
  /** What to do about it, one sentence; empty when there is nothing to say. */
  readonly hint: string;
  /** What answered, as far as it can be told; the configured backend when it cannot. */
  readonly backend: Backend;
  readonly models: readonly ServedModel[];
  /** False for servers without a list of models: any name may be asked for, none is known. */
  readonly listsModels: boolean;
  readonly slots: { readonly total: number; readonly busy: number | null } | null;
  /** `kvUsage`: fraction of the key-value cache in use, of the fullest engine. */
  readonly load: {
    readonly running: number | null;
    readonly waiting: number | null;
    readonly kvUsage: number | null;
  } | null;
  readonly hasMetrics: boolean;
  /** Whether llama.cpp's `POST /tokenize {content}` is there. */
  readonly hasTokenize: boolean;
  /** Empty when it could not be told in time. */
  readonly formats: readonly WireFormat[];
  readonly latencyMs: number;
  readonly warnings: readonly string[];
}
