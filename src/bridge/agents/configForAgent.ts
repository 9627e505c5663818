import type { LoadedConfig } from '../../config/load.ts';
import { modelForAgent } from './modelForAgent.ts';

/**
 * The configuration as it holds for a job of an agent: its default model is the one for such agents. It stays a default, so
 * it reaches no cloud that the call did not name.
 */
export function configForAgent(loaded: LoadedConfig, agent: string | null): LoadedConfig {
  const { model, rule } = modelForAgent(agent, null, loaded.config);
  if (rule !== 'coding-model') return loaded;
  const { config } = loaded;
  return {
    ...loaded,
    // `origin` reads nothing of the object it belongs to, so the copy answers as the original does.
    config: { ...config, defaults: { ...config.defaults, model: model ?? '' } },
  };
}
