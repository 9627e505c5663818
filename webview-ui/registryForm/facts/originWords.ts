import type { FormField, FormState } from '../../../src/protocol/modelsLanguage/formState.ts';
import { sameValue } from './sameValue.ts';
import { textOf } from './fieldText.ts';

export interface Origin {
  /** What counts as long as this file says nothing; empty: nothing does. */
  readonly value: string;
  /** `default 600`, `auto, from the user file`; empty: nothing counts. */
  readonly words: string;
}

const ELSEWHERE: Readonly<Record<FormState['role'], string>> = {
  user: 'from the sidecar or the environment',
  'user-sidecar': 'from the user file',
  workspace: 'from the user file',
  'workspace-sidecar': 'from another file',
  other: 'from another file',
};

/** What counts where this file does not have the key, and who says so. */
export function originOf(field: FormField, inherited: unknown, role: FormState['role']): Origin {
  const isOther = inherited !== undefined && !sameValue(inherited, field.default);
  const value = shortText(isOther ? inherited : field.default);
  if (value === '') return { value: '', words: '' };
  return { value, words: isOther ? `${value}, ${ELSEWHERE[role]}` : `default ${value}` };
}

/** A list as people write it; nothing for an empty text, list or group. */
export function shortText(value: unknown): string {
  if (value === null) return '';
  if (value === true) return 'on';
  if (value === false) return 'off';
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (typeof value === 'object') return Object.keys(value).join(', ');
  const [line = '', ...rest] = textOf(value).trimEnd().split('\n');
  return rest.length === 0 ? line : `${line} …`;
}
