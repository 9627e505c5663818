import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { textsWithReferences } from '../config/checkSecrets.ts';
import type { LoadedConfig } from '../config/load.ts';
import type { EffectiveConfig } from '../config/schema.ts';
import { isOnlyReferences } from '../config/secrets.ts';
import { withAdHoc } from './adHocEndpoint.ts';
import { AdHocFiles } from './adHocFiles.ts';
import { createJobDir, jobDir } from './jobs/jobPaths.ts';

const FILE = 'config.json';

/**
 * Keeps the configuration that a job was taken with. Only a process that has read a good models.yaml remembers it when the
 * file breaks; the host of the job is a new process and would have nothing to go by.
 */
export function keepSubmittedConfig(
  stateDir: string,
  jobId: string,
  config: EffectiveConfig,
): void {
  const text = JSON.stringify(withoutLiteralSecrets(config));
  writeFileSync(join(createJobDir(stateDir, jobId), FILE), text, { mode: 0o600 });
}

/**
 * The configuration in force for a job: the present one, or the one it was taken with while the present files are broken.
 * Nothing of the kept one counts when the workspace has lost its trust since. An endpoint that the call named is in it.
 */
export function configForJob(stateDir: string, jobId: string, loaded: LoadedConfig): LoadedConfig {
  const present = presentConfig(stateDir, jobId, loaded);
  const adHoc = new AdHocFiles(stateDir).read(jobId);
  return adHoc === null ? present : withAdHoc(present, adHoc);
}

function presentConfig(stateDir: string, jobId: string, loaded: LoadedConfig): LoadedConfig {
  const file = join(jobDir(stateDir, jobId), FILE);
  if (!loaded.stale || loaded.untrusted.length > 0 || !existsSync(file)) return loaded;
  // Written by this program in a folder of mode 0700, in the shape that the loader made.
  const config = JSON.parse(readFileSync(file, 'utf8')) as EffectiveConfig;
  return { ...loaded, config };
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
