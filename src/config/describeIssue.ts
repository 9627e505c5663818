import type * as z from 'zod';
import { closestName } from './closestName.ts';
import { type ConfigPath, formatPath, valueAt } from './configPath.ts';
import { keysOf } from './schemaWalk.ts';

/** A finding of the schema in words, not yet at a place in a text. */
export interface Finding {
  readonly path: ConfigPath;
  readonly at: 'key' | 'value';
  readonly code: string;
  readonly message: string;
  readonly suggestion: string | null;
}

/** Words one finding of zod for the person who wrote the file; unknown keys come as one finding each. */
export function describeIssue(issue: z.core.$ZodIssue, value: unknown): Finding[] {
  const path = issue.path.filter((segment) => typeof segment !== 'symbol');
  const name = path.length === 0 ? 'the file' : `"${formatPath(path)}"`;
  const given = valueAt(value, path);
  const finding = (code: string, message: string, suggestion: string | null = null): Finding[] => [
    { path, at: 'value', code, message, suggestion },
  ];
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = keysOf(path);
      return issue.keys.map((key, index) => ({
        path: [...path, key],
        at: 'key',
        code: 'unknown_key',
        message: `unknown key "${shorten(key)}"${path.length === 0 ? '' : ` in "${formatPath(path)}"`}`,
        suggestion: index < 50 ? closestName(key, known) : null,
      }));
    }
    case 'invalid_key': {
      const reason = issue.issues[0]?.message ?? 'not allowed';
      const key = shorten(String(path.at(-1) ?? ''));
      return [
        {
          path,
          at: 'key',
          code: 'bad_name',
          message: `the name "${key}" cannot be used: ${reason}`,
          suggestion: null,
        },
      ];
    }
    case 'invalid_type':
      return finding(
        'wrong_type',
        `${name} must be ${article(issue.expected)}, not ${describeValue(given)}`,
      );
    case 'invalid_value': {
      const options = issue.values.map(String);
      return finding(
        'wrong_value',
        `${name} is ${describeValue(given)}; it must be ${listOptions(options)}`,
        typeof given === 'string' ? closestName(given, options) : null,
      );
    }
    case 'too_small':
      return finding(
        'out_of_range',
        `${name} is ${describeValue(given)}; it must be ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`,
      );
    case 'too_big':
      return finding(
        'out_of_range',
        `${name} is ${describeValue(given)}; it must be ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}`,
      );
    case 'invalid_union':
      return describeUnion(issue, path, name, given);
    case 'invalid_format':
    case 'custom':
      return finding('wrong_value', `${name} ${issue.message}`);
    case 'not_multiple_of':
    case 'invalid_element':
      return finding('wrong_value', `${name}: ${issue.message}`);
  }
}

function describeUnion(
  issue: z.core.$ZodIssueInvalidUnion,
  path: ConfigPath,
  name: string,
  given: unknown,
): Finding[] {
  const choices: string[] = [];
  for (const branch of issue.errors) {
    const first = branch[0];
    if (first === undefined) continue;
    if (first.code === 'invalid_type') choices.push(article(first.expected));
    else if (first.code === 'invalid_value')
      choices.push(...first.values.map((item) => `"${String(item)}"`));
    else if (first.path.length === 0)
      return [
        {
          path,
          at: 'value',
          code: 'wrong_value',
          message: `${name}: ${first.message}`,
          suggestion: null,
        },
      ];
  }
  return [
    {
      path,
      at: 'value',
      code: 'wrong_type',
      message: `${name} is ${describeValue(given)}; it must be ${choices.join(' or ')}`,
      suggestion: null,
    },
  ];
}

function article(type: string): string {
  const words: Record<string, string> = {
    string: 'a text',
    number: 'a number',
    int: 'a whole number',
    boolean: 'true or false',
    array: 'a list',
    object: 'a group of keys',
    record: 'a group of keys',
  };
  return words[type] ?? type;
}

/** Never the text itself when it is long: it may be a key that somebody pasted in the wrong place. */
function describeValue(value: unknown): string {
  if (value === undefined || value === null) return 'missing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a group of keys';
  if (typeof value === 'string')
    return value.length <= 24 ? `the text ${JSON.stringify(value)}` : 'a text';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return `a ${typeof value}`;
}

function listOptions(options: readonly string[]): string {
  const quoted = options.map((option) => `"${option}"`);
  if (quoted.length < 2) return quoted.join('');
  return `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
}

function shorten(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`;
}
