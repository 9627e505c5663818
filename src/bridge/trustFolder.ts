import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { BridgeError } from '../base/bridgeError.ts';
import { parseModelsText } from '../config/parse.ts';
import { sidecarPath } from '../config/configFile.ts';
import { privilegedHash, privilegedKeys } from '../config/trust.ts';
import type { BridgeContext } from './bridgeContext.ts';
import { projectSettings } from './projectSettings.ts';

/**
 * Trusts what a folder brings along as it is now: its models.yaml with the sidecar, and its settings of Claude Code. A change of a
 * privileged key, or of the settings, asks again.
 */
export function trustFolder(
  context: BridgeContext,
  path: string,
): { file: string; keys: string[] } {
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
  return { file, keys: [...keys] };
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
