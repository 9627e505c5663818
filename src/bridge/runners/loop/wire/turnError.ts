import { BridgeError, type ErrorKind } from '../../../../base/bridgeError.ts';
import type { EndpointTarget } from '../../../endpoints/endpointTarget.ts';
import { redact } from '../../../endpoints/redact.ts';

/** What was seen of an attempt before it failed. */
export interface AttemptFacts {
  readonly target: EndpointTarget;
  /** Of the answer; null: none came. */
  readonly status: number | null;
  readonly retryAfterS: number | null;
  readonly hadFirstToken: boolean;
}

export interface TurnErrorText {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly hint?: string;
  readonly isRetryable: boolean;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/**
 * A failed attempt as every one is told of: `details` has `endpoint`, `status`, `retry_after_s`, `is_retryable` and
 * `had_first_token`, and the message has no key of the endpoint in it.
 */
export function turnError(text: TurnErrorText, facts: AttemptFacts): BridgeError {
  const { target } = facts;
  return new BridgeError(text.kind, redact(text.message, target), {
    hint: text.hint ?? '',
    details: {
      ...text.details,
      endpoint: target.name,
      status: facts.status,
      retry_after_s: facts.retryAfterS,
      is_retryable: text.isRetryable,
      had_first_token: facts.hadFirstToken,
    },
    cause: text.cause,
  });
}
