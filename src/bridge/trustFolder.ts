import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BridgeError } from '../base/bridgeError.ts';
import { parseModelsText } from '../config/parse.ts';
import { sidecarPath } from '../config/configFile.ts';
import { privilegedHash, privilegedKeys } from '../config/trust.ts';
import type { BridgeContext } from './bridgeContext.ts';

/** Trusts the models.yaml of a folder (and its sidecar) as they are now; a change of a privileged key asks again. */
export function trustFolder(
  context: BridgeContext,
  path: string,
): { file: string; keys: string[] } {
  const file = modelsFileOf(path);
  if (!existsSync(file)) {
    throw new BridgeError('bad_argument', `There is no ${file}.`, {
      hint: 'Name a folder that has a models.yaml, or the file.',
    });
  }
  const keys = new Set<string>();
  for (const each of [file, sidecarPath(file)].filter((candidate) => existsSync(candidate))) {
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
  return { file, keys: [...keys] };
}

export function untrustFolder(context: BridgeContext, path: string): boolean {
  const file = modelsFileOf(path);
  const wasTrusted = context.trust.revoke(file);
  return context.trust.revoke(sidecarPath(file)) || wasTrusted;
}

function modelsFileOf(path: string): string {
  const full = resolve(path);
  return existsSync(full) && statSync(full).isDirectory() ? join(full, 'models.yaml') : full;
}
