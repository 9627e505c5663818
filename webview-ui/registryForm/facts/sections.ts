import type { FormField } from '../../../src/protocol/modelsLanguage/formState.ts';

/** A page of the form: one or a few of the file's top-level keys. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly fields: readonly FormField[];
  /** None of it has an effect in this version. */
  readonly isInactive: boolean;
}

/** The order in which people need them. A key that is not named here gets a page of its own at the end. */
const LAYOUT: readonly (readonly [id: string, title: string, keys: readonly string[]])[] = [
  ['endpoints', 'Endpoints', ['endpoints']],
  ['pools', 'Pools', ['pools']],
  ['failover', 'Failover', ['failover']],
  ['models', 'Models', ['models']],
  ['defaults', 'Defaults', ['defaults']],
  ['runners', 'Runners', ['runners']],
  ['gates', 'Gates', ['gates']],
  ['review', 'Review & worktrees', ['review', 'worktrees']],
  ['fleet', 'Fleet', ['fleet']],
  ['router', 'Router', ['router']],
  ['ledger', 'Ledger', ['ledger']],
  ['secrets', 'Secrets', ['secrets']],
  ['housekeeping', 'Housekeeping', ['retention']],
];

export function sectionsOf(root: FormField): Section[] {
  const all = root.fields ?? [];
  const placed = new Set(LAYOUT.flatMap(([, , keys]) => keys));
  const rest = all
    .filter(({ key }) => !placed.has(key))
    .map(({ key }) => [key, key, [key]] as const);
  return [...LAYOUT, ...rest]
    .map(([id, title, keys]) => {
      const fields = keys.flatMap((key) => all.filter((field) => field.key === key));
      return { id, title, fields, isInactive: fields.every((field) => field.isInactive === true) };
    })
    .filter(({ fields }) => fields.length > 0);
}

/** The section that shows a top-level key; the first one for a key that nobody knows. */
export function sectionOfKey(sections: readonly Section[], key: unknown): Section | undefined {
  return sections.find(({ fields }) => fields.some((field) => field.key === key)) ?? sections[0];
}
