import path from 'node:path';
import { expandHome } from './paths.ts';
import type { ModelsFile } from './schema.ts';

/** Paths in a file are relative to its folder; made absolute before the layers are merged and that folder is forgotten. */
export function absolutePaths(value: ModelsFile, dir: string, homeDir: string): ModelsFile {
  const resolve = (file: string): string => path.resolve(dir, expandHome(file, homeDir));
  const result: ModelsFile = { ...value };
  if (value.endpoints !== undefined) {
    result.endpoints = Object.fromEntries(
      Object.entries(value.endpoints).map(([name, entry]) =>
        entry.tls?.ca
          ? [name, { ...entry, tls: { ...entry.tls, ca: resolve(entry.tls.ca) } }]
          : [name, entry],
      ),
    );
  }
  const baseDir = value.worktrees?.base_dir;
  if (baseDir !== undefined && baseDir !== 'auto') {
    result.worktrees = { ...value.worktrees, base_dir: resolve(baseDir) };
  }
  const runners = value.runners;
  if (runners !== undefined) {
    result.runners = { ...runners };
    const { loop, codex, dsh } = runners;
    if (loop?.agents_dir !== undefined)
      result.runners.loop = { ...loop, agents_dir: resolve(loop.agents_dir) };
    if (codex?.sessions_dir !== undefined)
      result.runners.codex = { ...codex, sessions_dir: resolve(codex.sessions_dir) };
    if (dsh?.models_file !== undefined)
      result.runners.dsh = { ...dsh, models_file: resolve(dsh.models_file) };
  }
  return result;
}
