import { BridgeError } from '../../../base/bridgeError.ts';

/** What the failure of one attempt says of whether and when to try again. */
export interface TurnFailure {
  readonly error: BridgeError;
  readonly isRetryable: boolean;
  readonly retryAfterS: number | null;
  /** Part of the answer had come: the turn must not be asked for elsewhere. */
  readonly hadFirstToken: boolean;
}

/** Reads the details that the wire gives with its errors; an error without them is not retried. */
export function turnFailure(thrown: unknown): TurnFailure {
  const error = BridgeError.from(thrown);
  const {
    is_retryable: retryable,
    retry_after_s: retryAfter,
    had_first_token: had,
  } = error.details;
  return {
    error,
    isRetryable: retryable === true,
    retryAfterS: typeof retryAfter === 'number' ? retryAfter : null,
    hadFirstToken: had === true,
  };
}
