import * as z from 'zod';
import { modelsFileSchema } from './schema.ts';

/** JSON Schema (draft 2020-12) of models.yaml and its sidecar, for editors. */
export function modelsJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(modelsFileSchema, { io: 'input' }) as Record<string, unknown>;
  return {
    ...(tidy(schema) as Record<string, unknown>),
    title: 'models.yaml of Delegation Bridge',
  };
}

/** Without what only reflects how zod was asked: empty defaults of groups, and the largest safe integer. */
function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([key, item]) =>
          !(key === 'default' && isEmptyGroup(item)) &&
          !(key === 'maximum' && item === Number.MAX_SAFE_INTEGER),
      )
      .map(([key, item]) => [key, tidy(item)]),
  );
}

function isEmptyGroup(value: unknown): boolean {
  return (
    value !== null &&
    typeof value === 'object' &&
    !Array.isArray(value) &&
    Object.keys(value).length === 0
  );
}
