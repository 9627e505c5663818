import { serverMessage } from '../../../endpoints/explainFailure.ts';
import type { JsonObject } from '../../../endpoints/jsonValue.ts';
import { translateOverflow } from '../../../gateway/overflow.ts';

/** Tokens, as far as the server names them. */
export interface OverflowCounts {
  readonly promptTokens: number | null;
  readonly windowTokens: number | null;
}

/**
 * Known wordings beside those that the gateway knows: Anthropic, Bedrock, Ollama, LM Studio, xAI, Gemini, Alibaba, Z.ai, LiteLLM.
 * An unrelated error must not be taken for a full window: history would be thrown away for nothing.
 */
const PHRASES = [
  /prompt is too long/i,
  /input is too long for requested model/i,
  /input length exceeds the context length/i,
  /tokens to keep from the initial prompt is greater than the context length/i,
  /maximum prompt length is \d+/i,
  /input token count.{0,40}exceeds the maximum number of (input )?tokens/i,
  /range of input length should be/i,
  /prompt exceeds max length/i,
  /ContextWindowExceededError/,
  /longer than the maximum model length/i,
];

/** Whether the error says that the request does not fit into the window of the model, and the counts; null: it does not. */
export function overflowCounts(document: JsonObject, words: string): OverflowCounts | null {
  const known = translateOverflow(document, null);
  if (known === null && !PHRASES.some((phrase) => phrase.test(words))) return null;
  const said = known === null ? words : (serverMessage(known.body) ?? '');
  // The second form: prompt and answer together do not fit.
  const counts = /(\d+) tokens > (\d+) maximum/.exec(said) ?? /(\d+) \+ \d+ > (\d+)/.exec(said);
  return {
    promptTokens: counts === null ? null : Number(counts[1]),
    windowTokens: counts === null ? null : Number(counts[2]),
  };
}
