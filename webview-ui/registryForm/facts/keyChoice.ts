import { MASKED } from '../../../src/protocol/modelsLanguage/formState.ts';
import { groupOf, type Group } from './group.ts';

/** How a key of a server is given. `literal`: it stands in the file itself; `other`: a text that holds more than one reference. */
export type KeyChoice =
  | { readonly kind: 'none' }
  | { readonly kind: 'env' | 'secret'; readonly name: string }
  | { readonly kind: 'byModel'; readonly keys: Group }
  | { readonly kind: 'literal' }
  | { readonly kind: 'other'; readonly text: string };

const REFERENCE = /^\$\{(env|secret):([^}]*)\}$/;

export function keyChoice(value: unknown): KeyChoice {
  if (value === undefined || value === null || value === '') return { kind: 'none' };
  const keys = groupOf(value);
  if (keys !== null) return { kind: 'byModel', keys };
  if (typeof value !== 'string' || value.includes(MASKED)) return { kind: 'literal' };
  const [, kind, name] = REFERENCE.exec(value.trim()) ?? [];
  if ((kind !== 'env' && kind !== 'secret') || name === undefined)
    return { kind: 'other', text: value };
  return { kind, name };
}

/** Why a text may not be written where a key is expected; null: it is a reference. A key itself never gets into the file through the form. */
export function whyNoReference(text: string): string | null {
  return REFERENCE.test(text.trim())
    ? null
    : 'Use ${env:NAME} or ${secret:name}. The key itself does not belong in the file.';
}
