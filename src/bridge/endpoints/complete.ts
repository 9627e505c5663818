import { BridgeError } from '../../base/bridgeError.ts';
import { completionBody, type CompletionBodyInput } from './completionBody.ts';
import type { EndpointTarget, WireFormat } from './endpointTarget.ts';
import { exchange, type Reply } from './exchange.ts';
import { readCompletion, type CompletionAnswer } from './readCompletion.ts';
import { connectionError, replyError } from './requestErrors.ts';

export interface CompletionRequest extends CompletionBodyInput {
  readonly format: WireFormat;
  /** For the whole request, from connecting to the last byte. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/**
 * One plain request and its whole answer. No retry: a caller that has somewhere else to go decides
 * about that.
 *
 * @throws BridgeError `policy_refused`, `backend_unreachable`, `timeout`, `cancelled`,
 * `auth_failed`, `rate_limited`, `context_overflow`, `model_unavailable` or `backend_error`.
 */
export async function completeText(
  target: EndpointTarget,
  request: CompletionRequest,
): Promise<CompletionAnswer> {
  const { path, body } = completionBody(target, request.format, request);
  const deadline = AbortSignal.timeout(request.timeoutMs);
  const signal =
    request.signal === undefined ? deadline : AbortSignal.any([deadline, request.signal]);
  let reply: Reply;
  try {
    reply = await exchange(target, {
      path,
      method: 'POST',
      body,
      signal,
      maxBytes: MAX_ANSWER_BYTES,
    });
  } catch (error) {
    throw connectionError(error, target, {
      timeoutMs: request.timeoutMs,
      isTimedOut: deadline.aborted,
      isCancelled: request.signal?.aborted === true,
    });
  }
  if (reply.status !== 200) throw replyError(reply, target);
  const answer = readCompletion(request.format, reply.json);
  // Some servers report an error with status 200.
  if (answer === null) {
    throw new BridgeError(
      'backend_error',
      `${target.name} answered with something that is not a completion.`,
      {
        hint: `Check that it speaks the ${request.format} format, or set format of this endpoint.`,
        details: { status: reply.status, endpoint: target.name },
      },
    );
  }
  return answer;
}
