import { type ConfigPath, formatPath } from '../../../src/config/configPath.ts';
import type { FormField, FormProblem } from '../../../src/protocol/modelsLanguage/formState.ts';
import { type Group, groupOf } from './group.ts';

export interface PlacedProblem extends FormProblem {
  /** As `fix` numbers them. */
  readonly index: number;
  /** The place of the form that shows it: its key, or the nearest one around it that the form has. */
  readonly shownAt: ConfigPath;
}

export interface ProblemCount {
  readonly errors: number;
  readonly warnings: number;
}

const NONE: ProblemCount = { errors: 0, warnings: 0 };

/** Where each problem of the file is shown. Every problem has exactly one place. */
export class ProblemPlaces {
  readonly all: readonly PlacedProblem[];
  readonly #at = new Map<string, PlacedProblem[]>();
  readonly #under = new Map<string, ProblemCount>();

  constructor(root: FormField, values: Group | null, problems: readonly FormProblem[]) {
    this.all = problems.map((problem, index) => ({
      ...problem,
      index,
      shownAt: placeOf(root, values, problem.path),
    }));
    for (const problem of this.all) {
      const key = formatPath(problem.shownAt);
      this.#at.set(key, [...(this.#at.get(key) ?? []), problem]);
      for (let length = 0; length <= problem.shownAt.length; length += 1) {
        const prefix = formatPath(problem.shownAt.slice(0, length));
        const { errors, warnings } = this.#under.get(prefix) ?? NONE;
        const isError = problem.severity === 'error';
        this.#under.set(prefix, {
          errors: errors + (isError ? 1 : 0),
          warnings: warnings + (isError ? 0 : 1),
        });
      }
    }
  }

  at(path: ConfigPath): readonly PlacedProblem[] {
    return this.#at.get(formatPath(path)) ?? [];
  }

  /** Those of a key and of all keys in it. */
  under(path: ConfigPath): ProblemCount {
    return this.#under.get(formatPath(path)) ?? NONE;
  }
}

/** The longest beginning of a path that the form shows as a place of its own: a field, an entry, a member of a chain, an unknown key. */
export function placeOf(root: FormField, values: Group | null, path: ConfigPath): ConfigPath {
  let field: FormField | undefined = root;
  let value: unknown = values;
  for (const [depth, segment] of path.entries()) {
    const inside: unknown = childOf(value, segment);
    const next: FormField | null = fieldBelow(field, segment, inside !== undefined);
    if (next === null) return path.slice(0, depth);
    field = next;
    value = inside;
  }
  return path;
}

/** Of a place that the form shows without knowing more about it. */
const BARE: FormField = { key: '', kind: 'text', description: '' };
const MEMBERS: FormField = { key: '', kind: 'list', description: '' };

function fieldBelow(
  field: FormField,
  segment: string | number,
  isThere: boolean,
): FormField | null {
  switch (field.kind) {
    case 'group':
      return field.fields?.find(({ key }) => key === segment) ?? (isThere ? BARE : null);
    case 'entries':
      return isThere ? (field.entry ?? BARE) : null;
    case 'chains':
      return isThere ? MEMBERS : null;
    case 'list':
      // Only the members of a chain: a list of its own shows what is wrong with it as a whole.
      return field === MEMBERS && isThere && typeof segment === 'number' ? BARE : null;
    default:
      return null;
  }
}

function childOf(value: unknown, segment: string | number): unknown {
  if (Array.isArray(value)) return typeof segment === 'number' ? value[segment] : undefined;
  const group = groupOf(value);
  return group !== null && Object.hasOwn(group, segment) ? group[segment] : undefined;
}
