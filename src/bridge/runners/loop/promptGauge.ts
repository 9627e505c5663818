import type { Usage } from '../../../protocol/job.ts';

/** A usual value for English and code; the first answer that says its tokens replaces it. */
const USUAL_TOKENS_PER_CHARACTER = 0.28;
const BOUNDS = { least: 0.1, most: 1.5 };

/** Estimates the tokens of a prompt from its characters, by what the server said of the prompts before. */
export class PromptGauge {
  #tokensPerCharacter = USUAL_TOKENS_PER_CHARACTER;

  /** A prompt of `characters` was answered with this usage. */
  note(characters: number, usage: Usage): void {
    const tokens = promptTokens(usage);
    if (tokens === null || characters === 0) return;
    const ratio = tokens / characters;
    this.#tokensPerCharacter = Math.min(Math.max(ratio, BOUNDS.least), BOUNDS.most);
  }

  tokens(characters: number): number {
    return Math.ceil(characters * this.#tokensPerCharacter);
  }
}

function promptTokens({ input, cacheRead, cacheWrite }: Usage): number | null {
  if (input === null) return null;
  const tokens = input + (cacheRead ?? 0) + (cacheWrite ?? 0);
  return tokens === 0 ? null : tokens;
}
