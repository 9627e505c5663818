import { type ConfigPath, formatPath } from '../../../src/config/configPath.ts';

/** The keys of the file that refer to each kept secret, by its name. */
export function secretUses(values: unknown): Map<string, string[]> {
  const uses = new Map<string, string[]>();
  const walk = (value: unknown, path: ConfigPath): void => {
    if (typeof value === 'string') {
      for (const [, name = ''] of value.matchAll(/\$\{secret:([^}]*)\}/g))
        uses.set(name, [...(uses.get(name) ?? []), formatPath(path)]);
    } else if (Array.isArray(value)) value.forEach((item, n) => walk(item, [...path, n]));
    else if (value !== null && typeof value === 'object')
      for (const [key, item] of Object.entries(value)) walk(item, [...path, key]);
  };
  walk(values, []);
  return uses;
}
