import { type ConfigPath, formatPath } from './configPath.ts';
import { isGroup } from './parts.ts';
import { isSameServer } from './serverRoot.ts';
import type { ModelsFile } from './schema.ts';

/** One layer of the configuration. */
export interface ConfigLayer {
  /** Path of the file, or `$NAME` of the environment variable. */
  readonly source: string;
  readonly value: ModelsFile;
}

export interface MergedLayers {
  readonly value: ModelsFile;
  /** By path as formatPath() writes it: the source of the layer that set this value last. */
  readonly origins: ReadonlyMap<string, string>;
}

/**
 * What belongs to the address it was written for. `env` can carry keys, and `locality` is a statement about an address:
 * inherited by another one it would let a local-only job leave.
 */
const BOUND_TO_ADDRESS: readonly string[] = [
  'api_key',
  'headers',
  'proxy',
  'tls',
  'env',
  'locality',
];

/**
 * Merges field by field, the last layer wins; keys keep the place where they came first. An endpoint that the workspace
 * points elsewhere inherits nothing of the user's entry that belongs to the user's address.
 */
export function mergeLayers(layers: {
  user: readonly ConfigLayer[];
  workspace: readonly ConfigLayer[];
  environment: readonly ConfigLayer[];
}): MergedLayers {
  const user = mergeAll({ value: {}, origins: new Map() }, layers.user);
  const workspace = mergeAll({ value: {}, origins: new Map() }, layers.workspace);
  const base = withoutForeignCredentials(user, workspace.value);
  const files: MergedLayers = {
    value: mergeGroup(base.value, workspace.value, [], () => undefined),
    origins: new Map([...base.origins, ...workspace.origins]),
  };
  return mergeAll(files, layers.environment);
}

function mergeAll(start: MergedLayers, layers: readonly ConfigLayer[]): MergedLayers {
  const origins = new Map(start.origins);
  let value: Record<string, unknown> = start.value;
  for (const layer of layers) {
    value = mergeGroup(value, layer.value, [], (path) =>
      origins.set(formatPath(path), layer.source),
    );
  }
  return { value, origins };
}

function mergeGroup(
  target: Record<string, unknown>,
  source: Record<string, unknown>,
  path: ConfigPath,
  note: (path: ConfigPath) => void,
): Record<string, unknown> {
  const result = { ...target };
  for (const [key, value] of Object.entries(source)) {
    const here = [...path, key];
    const before = Object.hasOwn(result, key) ? result[key] : undefined;
    // A map of keys by model is one value: half of one and half of another would send the wrong key.
    if (isGroup(value) && key !== 'api_key') {
      result[key] = mergeGroup(isGroup(before) ? before : {}, value, here, note);
    } else if (value !== undefined) {
      result[key] = value;
      note(here);
    }
  }
  return result;
}

function withoutForeignCredentials(user: MergedLayers, workspace: ModelsFile): MergedLayers {
  const endpoints = { ...user.value.endpoints };
  const origins = new Map(user.origins);
  for (const [name, theirs] of Object.entries(workspace.endpoints ?? {})) {
    const mine = Object.hasOwn(endpoints, name) ? endpoints[name] : undefined;
    if (mine === undefined || theirs.base_url === undefined) continue;
    if (mine.base_url !== undefined && isSameServer(mine.base_url, theirs.base_url)) continue;
    endpoints[name] = Object.fromEntries(
      Object.entries(mine).filter(([key]) => !BOUND_TO_ADDRESS.includes(key)),
    );
    for (const key of BOUND_TO_ADDRESS) {
      const path = formatPath(['endpoints', name, key]);
      for (const known of user.origins.keys()) {
        if (known === path || known.startsWith(`${path}.`) || known.startsWith(`${path}[`))
          origins.delete(known);
      }
    }
  }
  if (user.value.endpoints === undefined) return user;
  return { value: { ...user.value, endpoints }, origins };
}
