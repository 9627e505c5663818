import { BridgeError } from '../../base/bridgeError.ts';
import type { AgentDefinition } from './agentDefinition.ts';

export interface AgentPlaces {
  /** Folder of the job. */
  readonly folder: string;
  /** The user's own definitions, absolute. */
  readonly agentsDir: string;
}

/**
 * The definition of that name: `<folder>/.claude/agents/<name>.md`, `<folder>/.claude/skills/<name>/SKILL.md`, then `<agentsDir>/<name>.md`.
 * @throws BridgeError unknown_agent; config_invalid for a file that cannot be read
 */
export function readAgent(name: string, _places: AgentPlaces): AgentDefinition {
  throw new BridgeError('not_supported', `The agent ${name} cannot be read yet.`);
}
