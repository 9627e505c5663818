/** Pieces of at most six letters or three digits, and every other character by itself; spaces join the next word. */
const PIECE = / ?\p{L}{1,6}|\p{N}{1,3}|\s+|[^\p{L}\p{N}\s]/gu;

/** The tokens of the rehearsal server's own crude tokenizer: close enough to a real one to be a believable count. */
export function splitTokens(text: string): string[] {
  return text.match(PIECE) ?? [];
}

export function countTokens(text: string): number {
  return splitTokens(text).length;
}

/** Tokens of every string inside a JSON value, whatever its shape; keys and punctuation are not counted. */
export function countTokensIn(value: unknown): number {
  if (typeof value === 'string') return countTokens(value);
  if (Array.isArray(value))
    return value.reduce((sum: number, item) => sum + countTokensIn(item), 0);
  if (typeof value === 'object' && value !== null) {
    return Object.values(value).reduce((sum: number, item) => sum + countTokensIn(item), 0);
  }
  return 0;
}
