import * as z from 'zod';
import type { ConfigPath } from '../../config/configPath.ts';
import { bareSchema, schemaAt } from '../../config/schemaWalk.ts';

/** What the schema says of one key. */
export interface KeyFacts {
  readonly description: string;
  /** group: known keys; names: free keys; list; value; textOrNames: one text, or free keys (`api_key`). */
  readonly shape: 'group' | 'names' | 'list' | 'value' | 'textOrNames';
  /** Words for "a number", "true or false" and the like. */
  readonly type: string;
  /** Undefined: none. */
  readonly default: unknown;
  readonly examples: readonly unknown[];
  /** Every word that may stand there, or in its list; empty: free. */
  readonly words: readonly string[];
}

/** Null: the schema has no such key. */
export function keyFacts(path: ConfigPath): KeyFacts | null {
  const schema = schemaAt(path);
  if (schema === null) return null;
  const bare = bareSchema(schema);
  const meta = z.globalRegistry.get(schema) ?? {};
  return {
    description: meta.description ?? '',
    shape: shapeOf(bare),
    type: typeOf(bare),
    default: schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined,
    examples: Array.isArray(meta['examples']) ? meta['examples'] : [],
    words: wordsOf(bare),
  };
}

function shapeOf(bare: z.core.$ZodType): KeyFacts['shape'] {
  if (bare instanceof z.ZodObject) return 'group';
  if (bare instanceof z.ZodRecord) return 'names';
  if (bare instanceof z.ZodArray) return 'list';
  if (bare instanceof z.ZodUnion && optionsOf(bare).some((each) => each instanceof z.ZodRecord)) {
    return 'textOrNames';
  }
  return 'value';
}

function typeOf(bare: z.core.$ZodType): string {
  if (bare instanceof z.ZodUnion) return [...new Set(optionsOf(bare).map(typeOf))].join(' or ');
  if (bare instanceof z.ZodObject || bare instanceof z.ZodRecord) return 'a group of keys';
  if (bare instanceof z.ZodArray) return 'a list';
  if (bare instanceof z.ZodBoolean) return 'true or false';
  if (bare instanceof z.ZodEnum || bare instanceof z.ZodLiteral) return 'a word';
  if (bare instanceof z.ZodNumber) return bare.isInt ? 'a whole number' : 'a number';
  return 'a text';
}

function wordsOf(bare: z.core.$ZodType): string[] {
  if (bare instanceof z.ZodEnum) return bare.options.map(String);
  if (bare instanceof z.ZodLiteral) return [...bare.values].map(String);
  if (bare instanceof z.ZodBoolean) return ['true', 'false'];
  if (bare instanceof z.ZodUnion) return optionsOf(bare).flatMap(wordsOf);
  if (bare instanceof z.ZodArray) return wordsOf(bareSchema(bare.element));
  return [];
}

function optionsOf(union: z.ZodUnion): z.core.$ZodType[] {
  return union.options.map(bareSchema);
}
