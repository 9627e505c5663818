import { type Dirent, readdirSync } from 'node:fs';
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
  /** Files that are there and never found, because no call can name them. */
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
}

/** Far above what anybody keeps; a folder with more is not listed to its end. */
const MAX_FILES = 500;

/** Every file that could be a definition, tier by tier, the tier that wins first; and the folders that were looked into. */
export function listAgentFiles(places: AgentPlaces): {
  readonly files: readonly AgentFile[];
  readonly folders: readonly AgentFolder[];
} {
  const base = join(places.folder, '.claude');
  const tiers: readonly [AgentSource, string][] = [
    ['project-agent', join(base, 'agents')],
    ['project-skill', join(base, 'skills')],
    ['global', places.agentsDir],
  ];
  const files: AgentFile[] = [];
  const folders = tiers.map(([source, path]): AgentFolder => {
    const found = readFolder(path);
    if (!Array.isArray(found)) return { source, path, state: found, skipped: [] };
    const skipped: { path: string; why: string }[] = [];
    for (const entry of found) {
      const name = source === 'project-skill' ? entry.name : stemOf(entry);
      if (name === null) {
        if (entry.isDirectory()) skipped.push({ path: join(path, entry.name), why: SUBFOLDER });
      } else if (!isAgentName(name)) {
        skipped.push({ path: join(path, entry.name), why: BAD_NAME });
      } else {
        const file = agentFiles(name, places).find((place) => place.source === source);
        if (file !== undefined) files.push({ name, ...file });
      }
    }
    return { source, path, state: 'read', skipped };
  });
  return { files, folders };
}

const SUBFOLDER = 'only files directly in the folder are found, not those in a subfolder';
const BAD_NAME = 'its name has more than letters, digits, "_" and "-"';

/** Null for what is no definition. */
function stemOf(entry: Dirent): string | null {
  return entry.name.endsWith('.md') ? entry.name.slice(0, -'.md'.length) : null;
}

function readFolder(path: string): Dirent[] | 'missing' | 'unreadable' {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => !entry.name.startsWith('.'))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .slice(0, MAX_FILES);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing';
    if (code === 'EACCES' || code === 'EPERM' || code === 'ELOOP') return 'unreadable';
    throw BridgeError.from(error);
  }
}
