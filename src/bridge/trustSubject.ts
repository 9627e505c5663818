import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { BridgeError } from '../base/bridgeError.ts';
import { sidecarPath } from '../config/sidecarPath.ts';
import { effectiveValues } from '../config/effectiveValues.ts';
import { parseModelsText } from '../config/parse.ts';
import type { ModelsFile } from '../config/schema.ts';
import { privilegedHash, privilegedKeys } from '../config/trust.ts';
import { projectSettings } from './projectSettings.ts';

const MAX_SETTINGS_CHARS = 20_000;

/** What a folder brings along that counts only once it is trusted, read just now. */
export interface TrustSubject {
  readonly folder: string;
  /** Its models.yaml; it need not exist when there are settings of Claude Code. */
  readonly file: string;
  readonly settingsFiles: readonly string[];
  readonly keys: readonly string[];
  /** What these keys would be set to, as JSON, and the text of settings files; literal secrets of models.yaml are hidden. */
  readonly values: readonly { readonly key: string; readonly value: string }[];
  /** Per file what trusting it records. */
  readonly hashes: readonly { readonly file: string; readonly hash: string }[];
  /** Changes with whatever of it would be trusted. */
  readonly fingerprint: string;
}

/**
 * @param path a folder, or its models.yaml
 * @throws BridgeError bad_argument when there is nothing to trust, config_invalid when it cannot be read
 */
export function trustSubject(
  path: string,
  options: { readonly mayBeMissing?: boolean } = {},
): TrustSubject {
  const file = modelsFileOf(path);
  const folder = dirname(file);
  // Read once: what is shown is what is trusted.
  const settings = projectSettings(folder).map((each) => {
    const bytes = readFileSync(each.file);
    return { file: each.file, bytes, hash: createHash('sha256').update(bytes).digest('hex') };
  });
  const files =
    options.mayBeMissing === true
      ? []
      : [file, sidecarPath(file)].filter((candidate) => existsSync(candidate));
  if (options.mayBeMissing !== true && !files.includes(file) && settings.length === 0) {
    throw new BridgeError('bad_argument', `There is no ${file}.`, {
      hint: 'Name a folder that has a models.yaml or a .claude/settings.json, or the file.',
    });
  }
  const models = files.map((each) => ({ file: each, value: readModels(each) }));
  const nameOf = (each: string): string => relative(folder, each);
  const hashes = [
    ...models.map(({ file: each, value }) => ({ file: each, hash: privilegedHash(value) })),
    ...settings.map(({ file: each, hash }) => ({ file: each, hash })),
  ];
  return {
    folder,
    file,
    settingsFiles: settings.map((each) => each.file),
    keys: [
      ...new Set(models.flatMap(({ value }) => privilegedKeys(value))),
      ...settings.map((each) => nameOf(each.file)),
    ],
    values: [
      ...models.flatMap(({ value }) => privilegedValues(value)),
      ...settings.map((each) => ({
        key: nameOf(each.file),
        value: each.bytes.toString('utf8').slice(0, MAX_SETTINGS_CHARS),
      })),
    ],
    hashes,
    fingerprint: createHash('sha256').update(JSON.stringify(hashes)).digest('hex'),
  };
}

function readModels(file: string): ModelsFile {
  const { value, problems } = parseModelsText(readFileSync(file, 'utf8'), file);
  if (value !== null) return value;
  throw new BridgeError(
    'config_invalid',
    `${file} cannot be read: ${problems[0]?.message ?? 'no reason is known'}.`,
    { hint: 'Mend the file first; what cannot be read cannot be trusted.' },
  );
}

function privilegedValues(value: ModelsFile): TrustSubject['values'] {
  const keys = privilegedKeys(value);
  const isPrivileged = (path: string): boolean =>
    keys.some((key) => path === key || path.startsWith(`${key}.`) || path.startsWith(`${key}[`));
  return effectiveValues({ config: value, origin: () => '' })
    .filter(({ path }) => isPrivileged(path))
    .map((each) => ({ key: each.path, value: JSON.stringify(each.value) }));
}

function modelsFileOf(path: string): string {
  const full = resolve(path);
  return existsSync(full) && statSync(full).isDirectory() ? join(full, 'models.yaml') : full;
}
