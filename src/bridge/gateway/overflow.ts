import { isJsonObject, type JsonObject } from './jsonObject.ts';

/** An endpoint's "does not fit" in the words that Claude Code acts on. */
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
const PROMPT_AND_LIMIT = [
  /request \((?<used>\d+) tokens\) exceeds the available context size \((?<limit>\d+) tokens\)/i,
  /maximum context length is (?<limit>\d+) tokens[^]*?total of at least (?<used>\d+) tokens/i,
  /maximum context length is (?<limit>\d+) tokens[^]*?requested (?<used>\d+) tokens/i,
  /input \((?<used>\d+) tokens\) is longer than the model's context length \((?<limit>\d+) tokens\)/i,
  /maximum context length is (?<limit>\d+) tokens[^]*?has (?<used>\d+) input tokens/i,
];

/** Where a server names prompt and answer apart. */
const PROMPT_AND_ANSWER = [
  /maximum context length is (?<limit>\d+) tokens[^]*?\((?<input>\d+) in the messages, (?<output>\d+) in the completion\)/i,
  /maximum context length is (?<limit>\d+) tokens[^]*?requested (?<output>\d+) output tokens[^]*?at least (?<input>\d+) input tokens/i,
  /maximum context length is (?<limit>\d+) tokens[^]*?has (?<input>\d+) input tokens \((?<output>\d+) >/i,
];

/** With less room than this Claude Code does not ask again with a shorter answer (its floor is 3000, its margin 1000). */
const ROOM_FOR_ANSWER_TOKENS = 4000;

/**
 * Translates the document of an error that says that the request does not fit; null for every other error. A wrong guess
 * would make the client throw away its history, so only known types and phrases count; and when the prompt alone does fit,
 * the answer asked for is named as the cause, on which Claude Code asks for a shorter one instead of compacting.
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
  const said = typeof error['message'] === 'string' ? error['message'] : '';
  const lower = said.toLowerCase();
  const isOverflow =
    error['type'] === 'exceed_context_size_error' ||
    error['code'] === 'context_length_exceeded' ||
    PHRASES.some((phrase) => lower.includes(phrase));
  if (!isOverflow) return null;
  const message = answerTooLong(said) ?? promptTooLong(error, said, contextWindow);
  return {
    body: { type: 'error', error: { type: 'invalid_request_error', message } },
    original: (said === '' ? 'exceed_context_size_error' : said).slice(0, 300),
  };
}

function answerTooLong(said: string): string | null {
  const found = firstMatch(PROMPT_AND_ANSWER, said);
  if (found === null) return null;
  const { input, output, limit } = found;
  if (Number(input) + ROOM_FOR_ANSWER_TOKENS > Number(limit)) return null;
  return `input length and \`max_tokens\` exceed context limit: ${input} + ${output} > ${limit}, decrease input length or \`max_tokens\` and try again`;
}

function promptTooLong(error: JsonObject, said: string, contextWindow: number | null): string {
  const used = error['n_prompt_tokens'];
  const limit = error['n_ctx'] ?? contextWindow;
  if (typeof used === 'number' && typeof limit === 'number') {
    return `prompt is too long: ${used} tokens > ${limit} maximum`;
  }
  const found = firstMatch(PROMPT_AND_LIMIT, said);
  if (found === null) return 'prompt is too long';
  return `prompt is too long: ${found['used']} tokens > ${found['limit']} maximum`;
}

function firstMatch(patterns: readonly RegExp[], text: string): Record<string, string> | null {
  for (const pattern of patterns) {
    const groups = pattern.exec(text)?.groups;
    if (groups !== undefined) return groups;
  }
  return null;
}
