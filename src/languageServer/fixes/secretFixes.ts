import type { FixContext } from './fixContext.ts';
import type { ProblemFix } from './problemFix.ts';
import { writtenValue } from './writtenValue.ts';
import { stripReferences } from '../../config/secrets.ts';

/** For a key that stands in the file, and for a reference that cannot be understood. */
export function secretFixes({ doc, problem, path }: FixContext): ProblemFix[] {
  const { code, suggestion } = problem;
  if (suggestion === null) return [];
  if (code === 'literal_secret') {
    const name = /^\$\{secret:(.+)\}$/.exec(suggestion)?.[1];
    // References are not resolved in an address, so a password in one has to be moved by hand.
    if (name === undefined || path.at(-1) === 'base_url') return [];
    return [{ title: `Move the key to the secret store as "${name}"`, moveSecret: { path, name } }];
  }
  const text = writtenValue(doc, path);
  if (typeof text !== 'string') return [];
  const broken = /\$\{[^}]*\}?/.exec(stripReferences(text))?.[0];
  if (broken === undefined) return [];
  return [
    {
      title: `Change to "${suggestion}"`,
      edits: [{ kind: 'set', path: [...path], value: text.replace(broken, () => suggestion) }],
    },
  ];
}
