import { BridgeError, type ErrorKind } from '../../../../base/bridgeError.ts';
import { connectionError } from '../../../endpoints/requestErrors.ts';
import { upstreamError } from '../../../gateway/upstreamError.ts';
import { turnError, type AttemptFacts } from './turnError.ts';

/** Kinds that another attempt may not meet again. */
const RETRYABLE = new Set<ErrorKind>([
  'backend_unreachable',
  'backend_error',
  'timeout',
  'idle_timeout',
]);

/** Whatever ended an attempt, as a typed error. Those that are typed already stay as they are. */
export function attemptError(error: unknown, facts: AttemptFacts, timeoutMs: number): BridgeError {
  if (error instanceof BridgeError && 'is_retryable' in error.details) return error;
  const { target } = facts;
  const { baseUrl } = target;
  // A refusal by policy may lie under what the connection says.
  const known = upstreamError(error, baseUrl, facts.status !== null);
  const isPlain =
    facts.status === null && known.kind === 'backend_unreachable' && !BridgeError.is(error);
  const { kind, message, hint } = isPlain
    ? connectionError(error, target, { timeoutMs, isTimedOut: false, isCancelled: false })
    : known;
  return turnError({ kind, message, hint, isRetryable: RETRYABLE.has(kind), cause: error }, facts);
}
