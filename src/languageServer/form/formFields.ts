import * as z from 'zod';
import { BridgeError } from '../../base/bridgeError.ts';
import { isInactivePath } from '../../config/checkInactive.ts';
import { type ConfigPath, formatPath } from '../../config/configPath.ts';
import { bareSchema } from '../../config/schemaWalk.ts';
import { modelsFileSchema } from '../../config/schema.ts';
import type { FormField } from '../../protocol/modelsLanguage/formState.ts';

/** Stands for every free name in the path of a field. */
const ANY_NAME = '*';

type Shape = Omit<FormField, 'key' | 'description' | 'default' | 'example' | 'isInactive'>;

/**
 * The fields of the form, made from the schema of models.yaml.
 * @throws BridgeError internal when the schema holds something that no field can enter
 */
export function formFields(): FormField {
  return fieldOf('', modelsFileSchema, []);
}

function fieldOf(key: string, schema: z.core.$ZodType, path: ConfigPath): FormField {
  const { description = '', examples } = metaOf(schema);
  const value = defaultOf(schema);
  return {
    key,
    description,
    ...shapeOf(bareSchema(schema), path),
    ...(value === undefined ? {} : { default: value }),
    ...(examples?.[0] === undefined ? {} : { example: examples[0] }),
    ...(isInactivePath(path) ? { isInactive: true } : {}),
  };
}

function shapeOf(schema: z.core.$ZodType, path: ConfigPath): Shape {
  if (schema instanceof z.ZodObject) {
    const keys = Object.entries<z.core.$ZodType>(schema.shape);
    return {
      kind: 'group',
      fields: keys.map(([key, each]) => fieldOf(key, each, [...path, key])),
    };
  }
  if (schema instanceof z.ZodRecord) {
    const value = bareSchema(schema.valueType);
    if (value instanceof z.ZodObject)
      return { kind: 'entries', entry: fieldOf('', value, [...path, ANY_NAME]) };
    if (value instanceof z.ZodArray) return { kind: 'chains' };
    if (value instanceof z.ZodString) return { kind: 'map' };
  }
  if (schema instanceof z.ZodArray) {
    const item = bareSchema(schema.element);
    if (item instanceof z.ZodEnum) return { kind: 'choiceList', choices: wordsOf(item) };
    if (item instanceof z.ZodString) return { kind: 'list' };
  }
  if (schema instanceof z.ZodString) return { kind: isOneLine(schema) ? 'text' : 'longText' };
  if (schema instanceof z.ZodNumber) return numberShape(schema);
  if (schema instanceof z.ZodBoolean) return { kind: 'switch' };
  if (schema instanceof z.ZodEnum) return { kind: 'choice', choices: wordsOf(schema) };
  if (schema instanceof z.ZodUnion)
    return unionShape((schema.options as z.core.$ZodType[]).map(bareSchema), path);
  return refuse(path);
}

function unionShape(options: readonly z.core.$ZodType[], path: ConfigPath): Shape {
  const [first, second] = options;
  if (options.length === 2 && first !== undefined && second !== undefined) {
    if (first instanceof z.ZodString && second instanceof z.ZodRecord) return { kind: 'textOrMap' };
    if (first instanceof z.ZodLiteral || first instanceof z.ZodEnum) {
      const choices = wordsOf(first);
      if (second instanceof z.ZodNumber)
        return { ...numberShape(second), kind: 'numberOrAuto', choices };
      if (second instanceof z.ZodArray) return { kind: 'listOrWord', choices };
      if (second instanceof z.ZodBoolean) return { kind: 'switchOrWord', choices };
    }
  }
  return refuse(path);
}

function numberShape(schema: z.ZodNumber): Shape {
  const { minValue, maxValue } = schema;
  const isWhole = schema.isInt;
  const isAboveMinimum = schema.safeParse(minValue).success;
  return {
    kind: isWhole ? 'integer' : 'number',
    ...(minValue === null || minValue <= Number.MIN_SAFE_INTEGER
      ? {}
      : { minimum: isWhole && !isAboveMinimum ? minValue + 1 : minValue }),
    ...(maxValue === null || maxValue >= Number.MAX_SAFE_INTEGER ? {} : { maximum: maxValue }),
  };
}

function wordsOf(schema: z.ZodEnum | z.ZodLiteral): string[] {
  return schema instanceof z.ZodEnum ? schema.options.map(String) : [...schema.values].map(String);
}

/** Texts with a rule of their own (a pattern) are one line; the others may have several. */
function isOneLine(schema: z.ZodString): boolean {
  return (schema._zod.def.checks?.length ?? 0) > 0;
}

/** The outermost description and examples: wrappers are described where the key stands. */
function metaOf(schema: z.core.$ZodType): {
  readonly description?: string | undefined;
  readonly examples?: readonly unknown[] | undefined;
} {
  let description: string | undefined;
  let examples: readonly unknown[] | undefined;
  let current: z.core.$ZodType = schema;
  for (;;) {
    const meta = z.globalRegistry.get(current) as
      { description?: string; examples?: readonly unknown[] } | undefined;
    description ??= meta?.description;
    examples ??= meta?.examples;
    const inner = unwrapped(current);
    if (inner === null) return { description, examples };
    current = inner;
  }
}

function defaultOf(schema: z.core.$ZodType): unknown {
  let current: z.core.$ZodType | null = schema;
  while (current !== null) {
    if (current instanceof z.ZodDefault) return current.def.defaultValue;
    current = unwrapped(current);
  }
  return undefined;
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType | null {
  return schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable
    ? schema.unwrap()
    : null;
}

function refuse(path: ConfigPath): never {
  throw new BridgeError('internal', `The form has no field for "${formatPath(path)}".`, {
    hint: 'Teach formFields.ts the kind of this key.',
  });
}
