import type { BridgeError, ErrorKind } from '../../../../base/bridgeError.ts';
import { asString, type JsonObject } from '../../../endpoints/jsonValue.ts';
import { overflowCounts } from './overflowCounts.ts';
import { serverWords } from './serverWords.ts';
import { turnError, type AttemptFacts, type TurnErrorText } from './turnError.ts';

/** Types and codes of errors that come again however often one asks; all others may pass. */
const KIND_OF_FATAL: Readonly<Record<string, ErrorKind>> = {
  authentication_error: 'auth_failed',
  permission_error: 'auth_failed',
  invalid_api_key: 'auth_failed',
  invalid_request_error: 'backend_error',
  exceed_context_size_error: 'context_overflow',
  not_found_error: 'backend_error',
  billing_error: 'backend_error',
  model_not_found: 'model_unavailable',
};
const RATE_LIMITED = new Set([
  'rate_limit_error',
  'rate_limit_exceeded',
  'overloaded_error',
  '429',
  '529',
]);
/** Errors of the request that may pass: timeout, conflict, too early. */
const PASSING = new Set(['408', '409', '425', '429']);

/** An error that came in place of an answer, or of the rest of one, under a status that promised success. */
export function eventError(failure: JsonObject, facts: AttemptFacts): BridgeError {
  return turnError(explain(failure, facts), facts);
}

function explain(failure: JsonObject, { target, hadFirstToken }: AttemptFacts): TurnErrorText {
  const words = serverWords(JSON.stringify({ error: failure }));
  const marks = [failure['type'], failure['code'], failure['status']].map(String);
  const fatal = marks.find((mark) => mark in KIND_OF_FATAL);
  const quoted = words === '' ? (asString(failure['type']) ?? 'no reason given') : words;
  const message = hadFirstToken
    ? `${target.name} broke its answer off with an error: ${quoted}.`
    : `${target.name} reported an error in place of an answer: ${quoted}.`;
  const counts = overflowCounts({ error: failure }, words);
  if (counts !== null) {
    return {
      kind: 'context_overflow',
      message: `The request is too long for the model: ${quoted}.`,
      hint: 'Split the task, or use a model with a larger window.',
      details: { prompt_tokens: counts.promptTokens, window_tokens: counts.windowTokens },
      isRetryable: false,
    };
  }
  if (marks.some((mark) => RATE_LIMITED.has(mark)))
    return { kind: 'rate_limited', message, hint: 'Wait, then try again.', isRetryable: true };
  const isClientError = marks.some((mark) => /^4\d\d$/.test(mark) && !PASSING.has(mark));
  if (fatal === undefined && !isClientError)
    return { kind: 'backend_error', message, hint: LOOK, isRetryable: true };
  const kind = kindOf(fatal, marks, words);
  return { kind, message, hint: HINTS[kind] ?? LOOK, isRetryable: false };
}

function kindOf(fatal: string | undefined, marks: readonly string[], words: string): ErrorKind {
  if (marks.includes('401') || marks.includes('403')) return 'auth_failed';
  const isMissing = fatal === 'not_found_error' || marks.includes('404');
  if (isMissing && /model/i.test(words)) return 'model_unavailable';
  return (fatal === undefined ? undefined : KIND_OF_FATAL[fatal]) ?? 'backend_error';
}

const LOOK = 'Look at the log of the model server.';
const HINTS: Partial<Record<ErrorKind, string>> = {
  auth_failed: 'Check api_key of this endpoint.',
  model_unavailable: 'list_models shows what is served now.',
};
