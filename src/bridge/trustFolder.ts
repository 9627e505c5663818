import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { BridgeError } from '../base/bridgeError.ts';
import { parseModelsText } from '../config/parse.ts';
import type { LoadedConfig } from '../config/load.ts';
import { sidecarPath } from '../config/configFile.ts';
import { effectiveValues } from '../config/effectiveValues.ts';
import { privilegedHash, privilegedKeys } from '../config/trust.ts';
import type { BridgeContext } from './bridgeContext.ts';
import { projectSettings } from './projectSettings.ts';

export interface TrustGiven {
  readonly file: string;
  /** Keys that can run programs or send data elsewhere (`gates` stands for all gates), and files of Claude Code's settings. */
  readonly keys: readonly string[];
  /** What these keys are set to from now on, as JSON; literal secrets are hidden. */
  readonly values: readonly { readonly key: string; readonly value: string }[];
  /** Whether the models.yaml counts now. One without `endpoints` and `defaults` is taken for another program's. */
  readonly isUsed: boolean;
}

/**
 * Trusts what a folder brings along as it is now: its models.yaml with the sidecar, and its settings of Claude Code. A change of a
 * privileged key, or of the settings, asks again.
 */
export function trustFolder(context: BridgeContext, path: string): TrustGiven {
  const file = modelsFileOf(path);
  const settings = projectSettings(dirname(file));
  const files = [file, sidecarPath(file)].filter((candidate) => existsSync(candidate));
  if (!files.includes(file) && settings.length === 0) {
    throw new BridgeError('bad_argument', `There is no ${file}.`, {
      hint: 'Name a folder that has a models.yaml or a .claude/settings.json, or the file.',
    });
  }
  const keys = new Set<string>();
  for (const each of files) {
    const { value, problems } = parseModelsText(readFileSync(each, 'utf8'), each);
    if (value === null) {
      throw new BridgeError(
        'config_invalid',
        `${each} cannot be read: ${problems[0]?.message ?? 'no reason is known'}.`,
        {
          hint: 'Mend the file first; what cannot be read cannot be trusted.',
        },
      );
    }
    for (const key of privilegedKeys(value)) keys.add(key);
    context.trust.trust(each, privilegedHash(value));
  }
  for (const each of settings) {
    keys.add(relative(dirname(file), each.file));
    context.trust.trust(each.file, each.hash);
  }
  const loaded = context.loadConfig(dirname(file));
  return {
    file,
    keys: [...keys],
    values: valuesOf(loaded, file, [...keys]),
    isUsed: loaded.files.some((each) => each.path === file && each.used),
  };
}

function valuesOf(
  loaded: LoadedConfig,
  file: string,
  keys: readonly string[],
): TrustGiven['values'] {
  const isBelow = (path: string, key: string): boolean =>
    path === key || path.startsWith(`${key}.`) || path.startsWith(`${key}[`);
  return effectiveValues(loaded)
    .filter(({ origin }) => origin === file || origin === sidecarPath(file))
    .filter(({ path }) => keys.some((key) => isBelow(path, key)))
    .map(({ path, value }) => ({ key: path, value: JSON.stringify(value) }));
}

/** Whether anything of the folder was trusted before. */
export function untrustFolder(context: BridgeContext, path: string): boolean {
  const file = modelsFileOf(path);
  const settings = projectSettings(dirname(file)).map((each) => each.file);
  const revoked = [file, sidecarPath(file), ...settings].map((each) => context.trust.revoke(each));
  return revoked.includes(true);
}

function modelsFileOf(path: string): string {
  const full = resolve(path);
  return existsSync(full) && statSync(full).isDirectory() ? join(full, 'models.yaml') : full;
}
