import type { BridgeError } from '../../../../base/bridgeError.ts';
import { asObject, parseJson } from '../../../endpoints/jsonValue.ts';
import { replyError } from '../../../endpoints/requestErrors.ts';
import { retryAfter } from '../../../endpoints/retryAfter.ts';
import { overflowCounts } from './overflowCounts.ts';
import { serverWords } from './serverWords.ts';
import { turnError, type AttemptFacts, type TurnErrorText } from './turnError.ts';

/** 529 is Anthropic's and Z.ai's word for overloaded. */
const OVERLOADED = 529;
const RETRYABLE = new Set([429, 500, 502, 503, 504, OVERLOADED]);
/** Statuses after which a server may say when to come back. */
const WAITS = new Set([429, 503, OVERLOADED]);
/** Where servers put a request that does not fit: llama.cpp had it under 500, FastAPI under 422. */
const OVERFLOW = new Set([400, 413, 422, 500]);

/** An answer whose status is not 2xx, with the text of its body. */
export function statusError(status: number, text: string, facts: AttemptFacts): BridgeError {
  const retryAfterS = facts.retryAfterS ?? (WAITS.has(status) ? waitInWords(text) : null);
  return turnError(explain(status, text, facts), { ...facts, retryAfterS });
}

function explain(status: number, text: string, { target }: AttemptFacts): TurnErrorText {
  const isRetryable = RETRYABLE.has(status);
  const words = serverWords(text);
  const quoted = words === '' ? '' : `: ${words}`;
  if (status >= 300 && status < 400) {
    return {
      kind: 'backend_error',
      message: `${target.name} redirects to another address (HTTP ${status}); redirects are not followed.`,
      hint: 'Set base_url to the address of the model server itself.',
      isRetryable,
    };
  }
  const document = asObject(parseJson(text)) ?? {};
  const counts = OVERFLOW.has(status) ? overflowCounts(document, words) : null;
  if (counts !== null) {
    return {
      kind: 'context_overflow',
      message: `The request is too long for the model${quoted}.`,
      hint: 'Split the task, or use a model with a larger window.',
      details: { prompt_tokens: counts.promptTokens, window_tokens: counts.windowTokens },
      isRetryable: false,
    };
  }
  if (status === OVERLOADED) {
    // As with 429 the remedy is to wait or to ask elsewhere; nothing is broken.
    return {
      kind: 'rate_limited',
      message: `${target.name} is overloaded (HTTP ${status}${quoted}).`,
      hint: 'Wait, then try again.',
      isRetryable,
    };
  }
  const json =
    words === '' ? undefined : { error: { ...asObject(document['error']), message: words } };
  const { kind, message, hint } = replyError({ status, headers: {}, text, json }, target);
  return { kind, message, hint, isRetryable };
}

/** LiteLLM and OpenAI name the wait in their words, and not always in a header. */
function waitInWords(text: string): number | null {
  const seconds = /try again in (\d+(?:\.\d+)?) ?s/i.exec(serverWords(text))?.[1];
  return seconds === undefined ? null : retryAfter({ 'retry-after': seconds }, 0);
}
