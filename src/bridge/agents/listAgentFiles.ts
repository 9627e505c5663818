import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BridgeError } from '../../base/bridgeError.ts';
import type { AgentSource } from './agentDefinition.ts';
import { agentFiles, isAgentName, type AgentPlaces } from './agentPlaces.ts';

export interface AgentFile {
  readonly name: string;
  readonly source: AgentSource;
  readonly path: string;
}

export interface AgentFolder {
  readonly source: AgentSource;
  readonly path: string;
  readonly state: 'read' | 'missing' | 'unreadable';
}

/** Far above what anybody keeps; a folder with more is not listed to its end. */
const MAX_FILES = 500;

/** Every file that could be a definition, those of a name that wins first; and which folders were looked into. */
export function listAgentFiles(places: AgentPlaces): {
  readonly files: readonly AgentFile[];
  readonly folders: readonly AgentFolder[];
} {
  const folders: AgentFolder[] = [];
  const names = (source: AgentSource, path: string): string[] => {
    const found = readFolder(path);
    folders.push({ source, path, state: Array.isArray(found) ? 'read' : found });
    return Array.isArray(found) ? found : [];
  };
  const definitions = (found: readonly string[]): string[] =>
    found.filter((file) => file.endsWith('.md')).map((file) => file.slice(0, -'.md'.length));
  const base = join(places.folder, '.claude');
  const byTier: Readonly<Record<AgentSource, readonly string[]>> = {
    'project-agent': definitions(names('project-agent', join(base, 'agents'))),
    'project-skill': names('project-skill', join(base, 'skills')),
    global: definitions(names('global', places.agentsDir)),
  };
  const files = Object.entries(byTier).flatMap(([source, found]) =>
    found.filter(isAgentName).flatMap((name) =>
      agentFiles(name, places)
        .filter((file) => file.source === source)
        .map(({ path }) => ({ name, source: source as AgentSource, path })),
    ),
  );
  return { files, folders };
}

function readFolder(path: string): string[] | 'missing' | 'unreadable' {
  try {
    return readdirSync(path).sort().slice(0, MAX_FILES);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing';
    if (code === 'EACCES' || code === 'EPERM' || code === 'ELOOP') return 'unreadable';
    throw BridgeError.from(error);
  }
}
