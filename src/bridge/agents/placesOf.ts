import { expandHome } from '../../config/paths.ts';
import type { EffectiveConfig } from '../../config/schema.ts';
import type { AgentPlaces } from './agentPlaces.ts';

/** Where a job in a folder looks for definitions. */
export function placesOf(
  { homeDir }: { readonly homeDir: string },
  { runners }: Pick<EffectiveConfig, 'runners'>,
  folder: string,
): AgentPlaces {
  return { folder, agentsDir: expandHome(runners.loop.agents_dir, homeDir) };
}
