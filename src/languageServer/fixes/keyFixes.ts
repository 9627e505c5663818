import { INACTIVE_PATHS } from '../../config/checkInactive.ts';
import { formatPath } from '../../config/configPath.ts';
import { schemaAt } from '../../config/schemaWalk.ts';
import { isGroup } from '../../config/parts.ts';
import { nameSchema } from '../../config/schemaParts.ts';
import type { FixContext } from './fixContext.ts';
import type { ProblemFix } from './problemFix.ts';
import { writtenValue } from './writtenValue.ts';

/** Something to begin with; a person writes over it. */
const STARTS: Readonly<Record<string, readonly [key: string, value: string]>> = {
  endpoints: ['base_url', 'http://127.0.0.1:8080'],
  gates: ['run', 'npm test'],
};

/** For a key that is not known, not allowed, missing or without an effect. */
export function keyFixes({ doc, problem, path }: FixContext): ProblemFix[] {
  const key = String(path.at(-1));
  const group = path.slice(0, -1);
  const remove: ProblemFix = {
    title: `Remove "${shorten(key)}"`,
    edits: [{ kind: 'remove', path: [...path] }],
  };
  const siblings = writtenValue(doc, group);
  const rename = (to: string): ProblemFix[] =>
    isGroup(siblings) && Object.hasOwn(siblings, to)
      ? []
      : [{ title: `Change to "${to}"`, edits: [{ kind: 'rename', path: [...path], to }] }];
  switch (problem.code) {
    case 'unknown_key':
      return [...(problem.suggestion === null ? [] : rename(problem.suggestion)), remove];
    case 'bad_name': {
      const name = validName(key);
      return [...(name === null || !takesNames(group) ? [] : rename(name)), remove];
    }
    case 'missing_key': {
      const start = STARTS[String(path[0])];
      if (start === undefined) return [remove];
      const [missing, value] = start;
      return [
        { title: `Add "${missing}"`, edits: [{ kind: 'set', path: [...path, missing], value }] },
        remove,
      ];
    }
    default:
      if (path.length === 1 && key === 'secrets') {
        return [
          { title: 'Change to "file"', edits: [{ kind: 'set', path: [...path], value: 'file' }] },
        ];
      }
      return INACTIVE_PATHS.some((each) => formatPath(each) === formatPath(path)) ||
        path[0] === 'models'
        ? [remove]
        : [];
  }
}

function takesNames(group: FixContext['path']): boolean {
  return group.length === 1 && schemaAt(group) !== null;
}

/** The nearest name that may be used; null when nothing of the given one can be kept. */
function validName(typed: string): string | null {
  const name = typed
    .trim()
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|-+$/g, '');
  return name !== typed && nameSchema.safeParse(name).success ? name : null;
}

function shorten(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`;
}
