import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { textsWithReferences } from '../config/checkSecrets.ts';
import type { LoadedConfig } from '../config/load.ts';
import { formatPath } from '../config/configPath.ts';
import type { EffectiveConfig } from '../config/schema.ts';
import { isOnlyReferences } from '../config/secrets.ts';
import { withAdHoc } from './adHocEndpoint.ts';
import { AdHocFiles } from './adHocFiles.ts';
import { createJobDir, jobDir } from './jobs/jobPaths.ts';

/** In the folder of the job. */
export const SUBMITTED_CONFIG = 'config.json';

interface SubmittedConfig {
  readonly config: EffectiveConfig;
  /** Names of the endpoints that no file has: a variable of the submitting process made them, or nothing did. */
  readonly unfiled: readonly string[];
}

/**
 * Keeps the configuration that a job was taken with. Only a process that has read a good models.yaml remembers it when the
 * file breaks, and only one with the same variables has the endpoints they make; the host of the job is another process.
 */
export function keepSubmittedConfig(stateDir: string, jobId: string, loaded: LoadedConfig): void {
  const submitted: SubmittedConfig = {
    config: withoutLiteralSecrets(loaded.config),
    unfiled: Object.keys(loaded.config.endpoints).filter((name) => isUnfiled(loaded, name)),
  };
  const text = JSON.stringify(submitted);
  writeFileSync(join(createJobDir(stateDir, jobId), SUBMITTED_CONFIG), text, { mode: 0o600 });
}

function isUnfiled(loaded: LoadedConfig, endpoint: string): boolean {
  const source = loaded.origin(formatPath(['endpoints', endpoint, 'base_url']));
  return source === 'default' || source.startsWith('$');
}

/**
 * The configuration in force for a job: the present one, or the one it was taken with while the present files are broken.
 * Nothing of the kept one counts when the workspace has lost its trust since. An endpoint that the call named is in it, and
 * one that a variable had named is what it was there: `delegate-local` is a name that every process gives to its own.
 */
export function configForJob(stateDir: string, jobId: string, loaded: LoadedConfig): LoadedConfig {
  const present = presentConfig(stateDir, jobId, loaded);
  const adHoc = new AdHocFiles(stateDir).read(jobId);
  return adHoc === null ? present : withAdHoc(present, adHoc);
}

function presentConfig(stateDir: string, jobId: string, loaded: LoadedConfig): LoadedConfig {
  const file = join(jobDir(stateDir, jobId), SUBMITTED_CONFIG);
  if (!existsSync(file)) return loaded;
  // Written by this program in a folder of mode 0700, in the shape that the loader made.
  const kept = readSubmitted(readFileSync(file, 'utf8'));
  if (loaded.stale && loaded.untrusted.length === 0) return { ...loaded, config: kept.config };
  const endpoints = { ...loaded.config.endpoints };
  for (const name of kept.unfiled) {
    const entry = kept.config.endpoints[name];
    if (entry !== undefined && (!(name in endpoints) || isUnfiled(loaded, name)))
      endpoints[name] = entry;
  }
  return { ...loaded, config: { ...loaded.config, endpoints } };
}

/** A job that waited while the bridge was updated has the configuration alone. */
function readSubmitted(text: string): SubmittedConfig {
  const kept = JSON.parse(text) as SubmittedConfig | EffectiveConfig;
  return 'unfiled' in kept ? kept : { config: kept, unfiled: [] };
}

/** References stay, they hold no secret; a key that stands in models.yaml itself stays there alone. */
function withoutLiteralSecrets(config: EffectiveConfig): EffectiveConfig {
  const copy = structuredClone(config);
  for (const { path, text, isSecret } of textsWithReferences(copy)) {
    if (!isSecret || isOnlyReferences(text)) continue;
    const [last] = path.slice(-1);
    let group: unknown = copy;
    for (const key of path.slice(0, -1)) group = (group as Record<string, unknown>)[key];
    if (last !== undefined) (group as Record<string, unknown>)[last] = '';
  }
  return copy;
}
