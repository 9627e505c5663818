import { globMatch, hasGlob } from './globMatch.ts';

/** How a name found a served id, best first. */
export const MATCH_KINDS = ['exact', 'glob', 'fuzzy'] as const;
export type MatchKind = (typeof MATCH_KINDS)[number];

export interface ModelMatch {
  readonly id: string;
  readonly kind: MatchKind;
}

/** A fuzzy name shorter than this (letters and digits) would hit too much by accident. */
const MIN_FUZZY_LENGTH = 3;

/**
 * How `name` fits one served id, or null. Exact is the same text (Ollama's `:latest` may be left
 * out); glob is `globMatch`; fuzzy ignores case and punctuation but begins and ends at word
 * boundaries, so `qwen3.8-27b` fits `unsloth/Qwen3.8-27B-GGUF:UD-Q4_K_XL` and `llama3` does not fit
 * `codellama34b`.
 */
export function matchKind(name: string, id: string): MatchKind | null {
  if (id === name || id === `${name}:latest`) return 'exact';
  if (hasGlob(name)) return globMatch(name, id) ? 'glob' : null;
  return isFuzzyMatch(name, id) ? 'fuzzy' : null;
}

/**
 * The best match among ids: exact anywhere beats glob, glob beats fuzzy; among equals the first
 * listed.
 */
export function matchModel(name: string, ids: readonly string[]): ModelMatch | null {
  const matches = ids.flatMap((id) => {
    const kind = matchKind(name, id);
    return kind === null ? [] : [{ id, kind }];
  });
  for (const kind of MATCH_KINDS) {
    const match = matches.find((candidate) => candidate.kind === kind);
    if (match !== undefined) return match;
  }
  return null;
}

function isFuzzyMatch(name: string, id: string): boolean {
  const wanted = words(name).join('');
  if (wanted.length < MIN_FUZZY_LENGTH) return false;
  const parts = words(id);
  return parts.some((_, start) => {
    let joined = '';
    for (const part of parts.slice(start)) {
      joined += part;
      if (joined === wanted) return true;
      if (joined.length >= wanted.length) return false;
    }
    return false;
  });
}

/**
 * `Qwen3.8-27B` is qwen, 3, 8, 27b. A digit after a letter starts a word (so `qwen` finds it), a
 * letter after a digit does not: 8b is a size, and `qwen3.8` must not find `Qwen3-8B`.
 */
function words(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z]+|[0-9]+[a-z]*/g) ?? [];
}
