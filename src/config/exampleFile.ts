import { stringify } from 'yaml';
import * as z from 'zod';
import { INACTIVE_PATHS } from './checkInactive.ts';
import { formatPath } from './configPath.ts';
import { bareSchema } from './schemaWalk.ts';
import { modelsFileSchema } from './schema.ts';

const INTRO = `# models.yaml of Delegation Bridge: every key, with its default or an example.
# Generated from the schema; "npm run generate" writes it again.
#
# Copy what you need to ~/.config/delegation-bridge/models.yaml. Nothing is required but one endpoint.
# Lines that begin with "#" before a key are commented out: that key has no default, or its default is empty.
`;

/** Names for the sections whose keys are free, so that the example shows an entry of each. */
const EXAMPLE_NAMES: Readonly<Record<string, string>> = {
  endpoints: 'llamacpp',
  pools: 'default',
  models: 'qwen*',
  gates: 'tests',
  fleet: 'planner',
};

/** Without these an entry is of no use; they are written out although they have no default. */
const NEEDED_KEYS = new Set(['base_url', 'run']);

/** The text of models.example.yaml: every key with its description, its default where it has one, else an example. */
export function exampleFile(): string {
  const lines = [INTRO];
  for (const [section, schema] of Object.entries(modelsFileSchema.shape)) {
    lines.push(...comment(schema, [section]));
    const bare = bareSchema(schema);
    if (bare instanceof z.ZodObject) lines.push(`${section}:`, ...group(bare, [section]));
    else if (bare instanceof z.ZodRecord) {
      const name = EXAMPLE_NAMES[section] ?? 'name';
      lines.push(`${section}:`, `  ${yamlKey(name)}:`);
      const entry = bareSchema(bare.valueType);
      if (entry instanceof z.ZodObject) lines.push(...group(entry, [section, name]));
    } else lines.push(`${section}: ${inline(exampleOf(schema, true).value)}`);
    lines.push('');
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

function group(object: z.ZodObject, path: readonly string[]): string[] {
  const pad = '  '.repeat(path.length);
  const shape = object.shape as Readonly<Record<string, z.ZodType>>;
  return Object.entries(shape).flatMap(([key, schema]) => {
    const here = [...path, key];
    const head = comment(schema, here);
    const bare = bareSchema(schema);
    if (bare instanceof z.ZodObject)
      return [...head, `${pad}${yamlKey(key)}:`, ...group(bare, here)];
    const { value, isActive } = exampleOf(schema, NEEDED_KEYS.has(key));
    return [...head, `${pad}${isActive ? '' : '# '}${yamlKey(key)}: ${inline(value)}`];
  });
}

function exampleOf(schema: z.ZodType, isNeeded: boolean): { value: unknown; isActive: boolean } {
  const examples = schema.meta()?.['examples'];
  const example: unknown = Array.isArray(examples) ? examples[0] : undefined;
  const fallback = schema.safeParse(undefined);
  const given: unknown = fallback.success ? fallback.data : undefined;
  const hasDefault =
    given !== undefined && given !== null && given !== '' && JSON.stringify(given) !== '{}';
  if (hasDefault) {
    const isEmptyList = Array.isArray(given) && given.length === 0;
    return {
      value: isEmptyList ? (example ?? given) : given,
      isActive: !(isEmptyList && example !== undefined),
    };
  }
  if (example !== undefined) return { value: example, isActive: isNeeded };
  return { value: given ?? sampleOf(schema), isActive: false };
}

/** A value of the right type for a key without default and example. */
function sampleOf(schema: z.ZodType): unknown {
  const bare = bareSchema(schema);
  if (bare instanceof z.ZodEnum) return bare.options[0];
  return (
    ['text', 1, true, ['text'], '2026-11-01', 100_000].find(
      (value) => schema.safeParse(value).success,
    ) ?? null
  );
}

function comment(schema: z.ZodType, path: readonly string[]): string[] {
  const bare = bareSchema(schema);
  const options = bare instanceof z.ZodEnum ? ` One of: ${bare.options.join(', ')}.` : '';
  const inactive = INACTIVE_PATHS.some((other) => formatPath(other) === formatPath(path))
    ? ' Not active in this version.'
    : '';
  const text = `${schema.description ?? ''}${options}${inactive}`.trim();
  return text === '' ? [] : [`${'  '.repeat(path.length - 1)}# ${text}`];
}

function inline(value: unknown): string {
  return stringify(value, {
    collectionStyle: 'flow',
    lineWidth: 0,
    defaultStringType: 'PLAIN',
  }).trimEnd();
}

function yamlKey(key: string): string {
  return stringify(key).trimEnd();
}
