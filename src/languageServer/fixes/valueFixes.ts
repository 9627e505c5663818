import * as z from 'zod';
import { schemaAt } from '../../config/schemaWalk.ts';
import type { ConfigEdit } from '../../protocol/modelsLanguage/configEdit.ts';
import type { FixContext } from './fixContext.ts';
import type { ProblemFix } from './problemFix.ts';
import { writtenValue } from './writtenValue.ts';

type Json = Extract<ConfigEdit, { kind: 'set' }>['value'];

/** For a value that the schema does not take: what was probably meant. */
export function valueFixes({ doc, problem, path }: FixContext): ProblemFix[] {
  const set = (value: Json): ProblemFix => ({
    title: `Change to ${typeof value === 'string' ? `"${value}"` : JSON.stringify(value)}`,
    edits: [{ kind: 'set', path: [...path], value }],
  });
  if (problem.suggestion !== null) return [set(problem.suggestion)];
  if (problem.code === 'old_spelling') {
    return [{ title: 'Remove the list', edits: [{ kind: 'remove', path: [...path] }] }];
  }
  const schema = schemaAt(path);
  if (schema === null) return [];
  return meant(writtenValue(doc, path), schema)
    .filter((value) => z.safeParse(schema, value).success)
    .slice(0, 1)
    .map(set);
}

/** Other ways to write what stands there; those that the schema takes are offered. */
function meant(given: unknown, schema: z.core.$ZodType): Json[] {
  if (typeof given === 'string') {
    const word = given.trim().toLowerCase();
    const number = Number(word.replace(/[_,](?=\d)/g, ''));
    return [
      ...(word === '' || Number.isNaN(number) ? [] : [number]),
      ...(['true', 'yes', 'on'].includes(word) ? [true] : []),
      ...(['false', 'no', 'off'].includes(word) ? [false] : []),
      [given],
    ];
  }
  if (typeof given === 'boolean') return [String(given), [String(given)]];
  if (typeof given !== 'number') return [];
  const { minimum, maximum } = limitsOf(schema);
  return [
    String(given),
    Math.round(given),
    ...(minimum !== null && given < minimum ? [minimum] : []),
    ...(maximum !== null && given > maximum ? [maximum] : []),
  ];
}

function limitsOf(schema: z.core.$ZodType): { minimum: number | null; maximum: number | null } {
  const json = z.toJSONSchema(schema, { io: 'input' });
  const { minimum, maximum } = json;
  return {
    minimum: typeof minimum === 'number' ? minimum : null,
    maximum: typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER ? maximum : null,
  };
}
