import { BridgeError, type ErrorKind } from '../base/bridgeError.ts';
import type { JobStore } from '../bridge/jobs/jobStore.ts';
import {
  noteEndpointFailure,
  noteEndpointSuccess,
  type EndpointFailure,
} from '../bridge/routing/endpointHealth.ts';
import type { JobEndpoint } from './jobSetup.ts';

/** How a request ended, as far as it tells of the endpoint's health. */
export interface RequestOutcome {
  readonly kind: ErrorKind;
  /** Null: no answer came. */
  readonly status: number | null;
  readonly retryAfterS: number | null;
  /** The job tries again: nobody else needs to know, unless the server has named a time. */
  readonly isRetried: boolean;
}

/** What the requests of one job tell all processes of its endpoint. */
export class EndpointNotes {
  readonly #store: JobStore;
  readonly #endpoint: string;
  /** Behind a gateway a limit is that of one model. */
  readonly #model: { readonly model?: string };

  constructor(store: JobStore, { resolved, probe }: JobEndpoint, model: string) {
    this.#store = store;
    this.#endpoint = resolved.target.name;
    this.#model = probe.backend === 'litellm' || probe.backend === 'bifrost' ? { model } : {};
  }

  answered(): void {
    this.#write(() => noteEndpointSuccess(this.#store, this.#endpoint, new Date()));
  }

  failed(outcome: RequestOutcome): void {
    const kind = failureKind(outcome);
    const { retryAfterS, isRetried } = outcome;
    if (kind === null || (isRetried && retryAfterS === null)) return;
    // A failure that is tried again does not count for the breaker, but the stated pause holds for everybody.
    const failure = { kind: isRetried ? 'rate_limited' : kind, retryAfterS, ...this.#model };
    this.#write(() => noteEndpointFailure(this.#store, this.#endpoint, failure, new Date()));
  }

  /** A full disk ends the job by its own way; a note that is missing is no reason to end a turn. */
  #write(write: () => void): void {
    try {
      write();
    } catch (error) {
      if (BridgeError.from(error).kind !== 'storage_full') throw error;
    }
  }
}

/** Null: it says nothing of the endpoint, as a request that was wrong. */
function failureKind({ kind, status }: RequestOutcome): EndpointFailure['kind'] | null {
  if (kind === 'context_overflow') return null;
  if (kind === 'rate_limited') return 'rate_limited';
  if (kind === 'backend_unreachable') return 'connect';
  if (kind === 'timeout' && status === null) return 'connect';
  return status !== null && status >= 500 ? 'server_error' : null;
}
