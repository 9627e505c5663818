import { checkServed, type ServedFacts } from './checkServed.ts';
import type { LoadedConfig } from './load.ts';
import type { ConfigProblem } from './problem.ts';

/**
 * What is wrong with the configuration in the light of what the servers offer, at the places in the files. The server, the command
 * line and the editor all use this, so that they say the same words.
 */
export function servedProblems(
  loaded: Pick<LoadedConfig, 'config' | 'place'>,
  facts: readonly ServedFacts[],
): ConfigProblem[] {
  return checkServed(loaded.config, facts).map((finding) => loaded.place(finding));
}
