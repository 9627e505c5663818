import type { BridgeError } from '../../base/bridgeError.ts';
import { type ErrorKind } from '../../base/bridgeError.ts';

/** An error of the gateway itself, as the client of the Anthropic API expects it. */
export interface GatewayError {
  readonly status: number;
  readonly kind: ErrorKind;
  readonly message: string;
  /** `{"type":"error","error":{"type","message"}}` as JSON text. */
  readonly body: string;
}

const SHAPES: Partial<Record<ErrorKind, { status: number; type: string }>> = {
  bad_argument: { status: 400, type: 'invalid_request_error' },
  policy_refused: { status: 403, type: 'permission_error' },
  not_supported: { status: 404, type: 'not_found_error' },
  idle_timeout: { status: 504, type: 'timeout_error' },
  timeout: { status: 504, type: 'timeout_error' },
  backend_unreachable: { status: 502, type: 'api_error' },
  backend_error: { status: 502, type: 'api_error' },
};

/** @param status overrides the status that goes with the kind (413 and 415 have no kind of their own). */
export function gatewayError(error: BridgeError, status?: number): GatewayError {
  const shape = SHAPES[error.kind] ?? { status: 500, type: 'api_error' };
  const message = error.hint === '' ? error.message : `${error.message} ${error.hint}`;
  return {
    status: status ?? shape.status,
    kind: error.kind,
    message,
    body: JSON.stringify({ type: 'error', error: { type: shape.type, message } }),
  };
}
