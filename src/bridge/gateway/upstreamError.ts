import { BridgeError } from '../../base/bridgeError.ts';

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'nothing is listening there',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name could not be resolved',
  EHOSTUNREACH: 'the host is down or unreachable',
  ENETUNREACH: 'the network is unreachable',
  ETIMEDOUT: 'connecting timed out',
  UND_ERR_CONNECT_TIMEOUT: 'connecting timed out',
  ECONNRESET: 'it closed the connection',
  EPIPE: 'it closed the connection',
  UND_ERR_SOCKET: 'it closed the connection',
};

/**
 * What went wrong on the way to the endpoint as a BridgeError: one thrown by the dispatcher (a policy refusal) stays what it
 * is, a broken connection is `backend_unreachable` before the answer began and `backend_error` after.
 */
export function upstreamError(error: unknown, baseUrl: string, hasBegun: boolean): BridgeError {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; depth += 1) {
    if (cause instanceof BridgeError) return cause;
    cause = cause.cause;
  }
  const code = errorCode(error);
  // System, undici, HTTP parser and zlib errors all have a code; what has none is a fault of this program.
  if (code === '') return BridgeError.from(error);
  const reason = REASONS[code] ?? `the connection failed (${code})`;
  // The origin alone: a base URL may carry a password.
  const { origin } = new URL(baseUrl);
  return hasBegun
    ? new BridgeError('backend_error', `The answer from ${origin} broke off: ${reason}.`, {
        cause: error,
      })
    : new BridgeError(
        'backend_unreachable',
        `The model server at ${origin} could not be reached: ${reason}.`,
        { cause: error },
      );
}

function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const code = (error as NodeJS.ErrnoException).code;
  if (typeof code === 'string' && code !== '') return code;
  if (error instanceof AggregateError) return errorCode(error.errors[0]);
  return errorCode(error.cause);
}
