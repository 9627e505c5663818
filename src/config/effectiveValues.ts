import { textsWithReferences } from './checkSecrets.ts';
import { type ConfigPath, formatPath } from './configPath.ts';
import { isGroup } from './parts.ts';
import type { ModelsFile } from './schema.ts';
import { isOnlyReferences } from './secrets.ts';

export interface EffectiveValue {
  readonly path: string;
  /** The value as JSON would write it; a key that stands in a file as such is `"(hidden)"`. */
  readonly value: unknown;
  /** File, `$VARIABLE` or `default`. */
  readonly origin: string;
}

/** Every key with the value in force and where it came from, in the order of the schema. */
export function effectiveValues(loaded: {
  readonly config: ModelsFile;
  origin(path: string): string;
}): EffectiveValue[] {
  const hidden = new Set(
    textsWithReferences(loaded.config)
      .filter(({ text, isSecret }) => isSecret && !isOnlyReferences(text))
      .map(({ path }) => formatPath(path)),
  );
  const values: EffectiveValue[] = [];
  const walk = (value: unknown, path: ConfigPath): void => {
    const name = formatPath(path);
    if (isGroup(value) && (Object.keys(value).length > 0 || path.length === 0)) {
      for (const [key, item] of Object.entries(value)) walk(item, [...path, key]);
    } else
      values.push({
        path: name,
        value: hidden.has(name) ? '(hidden)' : value,
        origin: loaded.origin(name),
      });
  };
  walk(loaded.config, []);
  return values;
}
