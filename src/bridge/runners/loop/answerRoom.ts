/** The share of the window that an answer may take: the history is evicted before it grows into it. */
const ANSWER_SHARE = 0.3;
const LEAST_TOKENS = 256;

/** The highest output limit for a window, in tokens. */
export function answerRoom(contextWindow: number): number {
  return Math.max(LEAST_TOKENS, Math.floor(contextWindow * ANSWER_SHARE));
}
