import { isJsonObject, type JsonObject } from './jsonObject.ts';

/** An endpoint's "does not fit" in the words that Claude Code compacts on. */
export interface Overflow {
  /** The Anthropic document; goes out with status 400. */
  readonly body: JsonObject;
  /** What the endpoint said, at most 300 characters. */
  readonly original: string;
}

const PHRASES = [
  'exceeds the available context',
  'maximum context length',
  'exceed context limit',
  'context length exceeded',
  "longer than the model's context length",
];

/** Tokens of the prompt and of the window, the surest wording first ("requested" also counts the answer). */
const NUMBERS: readonly { pattern: RegExp; isLimitFirst: boolean }[] = [
  {
    pattern: /request \((\d+) tokens\) exceeds the available context size \((\d+) tokens\)/i,
    isLimitFirst: false,
  },
  {
    pattern: /maximum context length is (\d+) tokens[^]*?total of at least (\d+) tokens/i,
    isLimitFirst: true,
  },
  {
    pattern: /maximum context length is (\d+) tokens[^]*?requested (\d+) tokens/i,
    isLimitFirst: true,
  },
  {
    pattern: /input \((\d+) tokens\) is longer than the model's context length \((\d+) tokens\)/i,
    isLimitFirst: false,
  },
];

/**
 * Translates the document of an error that says that the prompt does not fit; null for every other error. A wrong guess here
 * would make the client throw away its history, so only known types and phrases count.
 *
 * @param contextWindow tokens, used when the endpoint names the prompt but not its limit.
 */
export function translateOverflow(
  document: unknown,
  contextWindow: number | null,
): Overflow | null {
  if (!isJsonObject(document)) return null;
  // llama.cpp and Anthropic nest the error, vLLM's chat style is flat.
  const error = isJsonObject(document['error']) ? document['error'] : document;
  const message = typeof error['message'] === 'string' ? error['message'] : '';
  const lower = message.toLowerCase();
  const isOverflow =
    error['type'] === 'exceed_context_size_error' ||
    error['code'] === 'context_length_exceeded' ||
    PHRASES.some((phrase) => lower.includes(phrase));
  if (!isOverflow) return null;
  const found = numbers(error, message, contextWindow);
  const text = found
    ? `prompt is too long: ${found.used} tokens > ${found.limit} maximum`
    : 'prompt is too long';
  return {
    body: { type: 'error', error: { type: 'invalid_request_error', message: text } },
    original: (message === '' ? 'exceed_context_size_error' : message).slice(0, 300),
  };
}

function numbers(
  error: JsonObject,
  message: string,
  contextWindow: number | null,
): { used: number; limit: number } | null {
  const used = error['n_prompt_tokens'];
  const limit = error['n_ctx'] ?? contextWindow;
  if (Number.isSafeInteger(used) && Number.isSafeInteger(limit))
    return { used: used as number, limit: limit as number };
  for (const { pattern, isLimitFirst } of NUMBERS) {
    const [, first, second] = pattern.exec(message) ?? [];
    if (first === undefined || second === undefined) continue;
    return isLimitFirst
      ? { used: Number(second), limit: Number(first) }
      : { used: Number(first), limit: Number(second) };
  }
  return null;
}
