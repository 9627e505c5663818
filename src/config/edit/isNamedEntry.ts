import * as z from 'zod';
import type { ConfigPath } from '../configPath.ts';
import { bareSchema, schemaAt } from '../schemaWalk.ts';

/** Whether a person chose the name at this path (an endpoint, a pool, a gate): the entry says something even when it is empty. */
export function isNamedEntry(path: ConfigPath): boolean {
  const parent = schemaAt(path.slice(0, -1));
  return path.length > 1 && parent !== null && bareSchema(parent) instanceof z.ZodRecord;
}
