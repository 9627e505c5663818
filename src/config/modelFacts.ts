import { globScore } from './modelMatch.ts';
import type { ModelFacts } from './schema.ts';

/** What `models` says about a name, field by field, the most specific pattern last; empty when it says nothing. */
export function modelFacts(
  models: Readonly<Record<string, ModelFacts>>,
  model: string,
): ModelFacts {
  return Object.entries(models)
    .map(([pattern, facts]) => ({ facts, score: globScore(pattern, model) }))
    .filter(({ score }) => score >= 0)
    .sort((a, b) => a.score - b.score)
    .reduce<ModelFacts>((all, { facts }) => ({ ...all, ...facts }), {});
}
