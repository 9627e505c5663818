import { type FormField, MASKED } from '../../../src/protocol/modelsLanguage/formState.ts';

/** What a text that a person typed means for the file. `none`: the key goes. `bad`: it cannot be written as this kind of value. */
export type Reading =
  | { readonly kind: 'value'; readonly value: string | number | boolean }
  | { readonly kind: 'none' }
  | { readonly kind: 'bad'; readonly message: string };

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** A value as its control shows it. What does not fit the kind of the field is shown too, as it stands. */
export function textOf(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  return JSON.stringify(value);
}

/** The limits (minimum, maximum, what a text may hold) are not looked at: whoever checks the file words those, here as everywhere. */
export function readText(field: FormField, text: string): Reading {
  if (text.includes(MASKED)) {
    return {
      kind: 'bad',
      message: 'The dots stand for a key that is in the file. Type the whole text.',
    };
  }
  switch (field.kind) {
    case 'number':
    case 'integer':
    case 'numberOrAuto':
      return readNumber(field, text.trim());
    case 'switch':
    case 'switchOrWord':
      if (text === 'true' || text === 'false') return { kind: 'value', value: text === 'true' };
      return text === '' ? { kind: 'none' } : { kind: 'value', value: text };
    default:
      return text === '' ? { kind: 'none' } : { kind: 'value', value: text };
  }
}

function readNumber(field: FormField, text: string): Reading {
  if (text === '') return { kind: 'none' };
  if (field.choices?.includes(text) === true) return { kind: 'value', value: text };
  const value = Number(text);
  if (!NUMBER.test(text) || !Number.isFinite(value)) {
    const words = (field.choices ?? []).map((word) => `, or ${word}`).join('');
    return { kind: 'bad', message: `"${text}" is not a number. Use digits${words}.` };
  }
  if (field.kind === 'integer' && !Number.isInteger(value))
    return { kind: 'bad', message: `"${text}" is not a whole number.` };
  return { kind: 'value', value };
}
