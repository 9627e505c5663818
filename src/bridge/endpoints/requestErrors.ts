import { BridgeError } from '../../base/bridgeError.ts';
import type { EndpointTarget } from './endpointTarget.ts';
import type { Reply } from './exchange.ts';
import { explainError, serverMessage } from './explainFailure.ts';
import { asObject, asString } from './jsonValue.ts';
import { redact } from './redact.ts';

/**
 * A request that got no answer, as a typed error: policy_refused, cancelled, timeout or
 * backend_unreachable.
 */
export function connectionError(
  error: unknown,
  target: EndpointTarget,
  limits: {
    readonly timeoutMs: number;
    readonly isTimedOut: boolean;
    readonly isCancelled: boolean;
  },
): BridgeError {
  if (error instanceof BridgeError) return error;
  if (limits.isCancelled)
    return new BridgeError('cancelled', `The request to ${target.name} was cancelled.`);
  if (limits.isTimedOut) {
    return new BridgeError(
      'timeout',
      `${target.name} did not finish its answer within ${limits.timeoutMs / 1000} s.`,
      { hint: 'Allow more time, or ask for a shorter answer.' },
    );
  }
  const words = explainError(error, new URL(target.baseUrl), limits.timeoutMs);
  return new BridgeError('backend_unreachable', redact(words.message, target), {
    hint: words.hint,
    details: { why: words.why },
    cause: error,
  });
}

/**
 * An answer that is not a success, as a typed error with the server's own words, bounded and
 * without its key.
 */
export function replyError(reply: Reply, target: EndpointTarget): BridgeError {
  const said = serverMessage(reply.json);
  const quoted = said === null ? '' : `: ${redact(said, target)}`;
  const status = reply.status;
  const details = { status, endpoint: target.name };
  if (status === 401 || status === 403) {
    return new BridgeError(
      'auth_failed',
      `${target.name} refused the key (HTTP ${status}${quoted}).`,
      {
        hint: 'Check api_key of this endpoint.',
        details,
      },
    );
  }
  if (status === 429) {
    const retryAfter = reply.headers['retry-after'] ?? null;
    return new BridgeError(
      'rate_limited',
      `${target.name} takes no more requests for now (HTTP 429${quoted}).`,
      {
        hint: 'Wait, then try again.',
        details: { ...details, retry_after: retryAfter },
      },
    );
  }
  if (isOverflow(reply, said)) {
    return new BridgeError('context_overflow', `The request is too long for the model${quoted}.`, {
      hint: 'Shorten the prompt, or use a model with a larger window.',
      details,
    });
  }
  if (status === 404 && said !== null && /model/i.test(said)) {
    return new BridgeError(
      'model_unavailable',
      `${target.name} does not serve this model (HTTP 404${quoted}).`,
      {
        hint: 'list_models shows what is served now.',
        details,
      },
    );
  }
  return new BridgeError('backend_error', `${target.name} answered with HTTP ${status}${quoted}.`, {
    hint: 'Look at the log of the model server.',
    details,
  });
}

/**
 * Status, code and known phrases together: an unrelated error must not be taken for a full window.
 */
function isOverflow(reply: Reply, said: string | null): boolean {
  if (reply.status !== 400 && reply.status !== 413 && reply.status !== 500) return false;
  const error = asObject(asObject(reply.json)?.['error']);
  const code = asString(error?.['type']) ?? '';
  const detail = asString(error?.['code']) ?? '';
  if (code === 'exceed_context_size_error' || detail === 'context_length_exceeded') return true;
  return (
    said !== null &&
    /exceeds the available context size|maximum context length is \d+|prompt is too long/i.test(
      said,
    )
  );
}
