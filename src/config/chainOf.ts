import { globScore } from './modelMatch.ts';

/** Who may stand in for a model, in order: the chain of its very name (in any case), else that of the pattern which fits best. */
export function chainOf(
  chains: Readonly<Record<string, readonly string[]>>,
  model: string,
): readonly string[] {
  const name = model.toLowerCase();
  const [best] = Object.entries(chains)
    .map(([pattern, members]) => ({ members, score: globScore(pattern.toLowerCase(), name) }))
    .filter(({ score }) => score >= 0)
    .sort((a, b) => (a.score === b.score ? 0 : b.score - a.score));
  return best?.members ?? [];
}
