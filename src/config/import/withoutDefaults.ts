import { isDeepStrictEqual } from 'node:util';
import { endpointSchema } from '../endpointSchema.ts';
import { isGroup } from '../parts.ts';
import { type ModelsFile, modelsFileSchema } from '../schema.ts';

/** The file without what holds anyway: a value that is the default need not be written. */
export function withoutDefaults(file: ModelsFile): ModelsFile {
  const defaults = modelsFileSchema.parse({});
  const endpoint = endpointSchema.parse({});
  const { endpoints, ...rest } = file;
  const sections = without(rest, defaults) as ModelsFile;
  if (endpoints === undefined || Object.keys(endpoints).length === 0) return sections;
  return {
    ...sections,
    endpoints: Object.fromEntries(
      Object.entries(endpoints).map(([name, entry]) => [
        name,
        without(entry, endpoint) as typeof entry,
      ]),
    ),
  };
}

function without(value: Record<string, unknown>, defaults: Record<string, unknown>): object {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      const usual = Object.hasOwn(defaults, key) ? defaults[key] : undefined;
      if (isDeepStrictEqual(item, usual)) return [];
      if (!isGroup(item)) return [[key, item]];
      const inner = isGroup(usual) ? without(item, usual) : item;
      return Object.keys(inner).length === 0 ? [] : [[key, inner]];
    }),
  );
}
