import * as z from 'zod';
import type { ConfigPath } from './configPath.ts';
import { modelsFileSchema } from './schema.ts';

/** The schema without its wrappers (default, prefault, optional, nullable). */
export function bareSchema(schema: z.core.$ZodType): z.core.$ZodType {
  let current = schema;
  while (
    current instanceof z.ZodDefault ||
    current instanceof z.ZodPrefault ||
    current instanceof z.ZodOptional ||
    current instanceof z.ZodNullable
  ) {
    current = current.unwrap();
  }
  return current;
}

/** The schema of the key at a path, wrappers included; null when there is no such key. */
export function schemaAt(path: ConfigPath): z.core.$ZodType | null {
  let current: z.core.$ZodType = modelsFileSchema;
  for (const segment of path) {
    const bare = bareSchema(current);
    let next: z.core.$ZodType | undefined;
    if (bare instanceof z.ZodObject) {
      const shape = bare.shape as Record<string, z.core.$ZodType>;
      next = Object.hasOwn(shape, segment) ? shape[segment] : undefined;
    } else if (bare instanceof z.ZodRecord) next = bare.valueType;
    else if (bare instanceof z.ZodArray) next = bare.element;
    if (next === undefined) return null;
    current = next;
  }
  return current;
}

/** The keys that the group at a path may have; empty when its keys are free or it is no group. */
export function keysOf(path: ConfigPath): string[] {
  const schema = schemaAt(path);
  if (schema === null) return [];
  const bare = bareSchema(schema);
  return bare instanceof z.ZodObject ? Object.keys(bare.shape) : [];
}
