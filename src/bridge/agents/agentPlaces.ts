import { join } from 'node:path';
import type { AgentSource } from './agentDefinition.ts';

export interface AgentPlaces {
  /** Folder of the job. */
  readonly folder: string;
  /** The user's own definitions, absolute. */
  readonly agentsDir: string;
}

export interface AgentPlace {
  readonly source: AgentSource;
  readonly path: string;
}

/** The files that may hold the definition of a name, the one that wins first. */
export function agentFiles(name: string, { folder, agentsDir }: AgentPlaces): AgentPlace[] {
  return [
    { source: 'project-agent', path: join(folder, '.claude', 'agents', `${name}.md`) },
    { source: 'project-skill', path: join(folder, '.claude', 'skills', name, 'SKILL.md') },
    { source: 'global', path: join(agentsDir, `${name}.md`) },
  ];
}

/** Whether this is a name at all: no path can be made of it. */
export function isAgentName(name: string): boolean {
  return /^[A-Za-z0-9_-]{1,100}$/.test(name);
}
