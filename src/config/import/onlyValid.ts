import { closestName } from '../closestName.ts';
import { type ConfigPath, formatPath } from '../configPath.ts';
import { describeIssue } from '../describeIssue.ts';
import { isGroup } from '../parts.ts';
import { type ModelsFile, modelsFileSchema } from '../schema.ts';
import { keysOf } from '../schemaWalk.ts';
import { importNote, quoted } from './importNote.ts';

const MAX_ROUNDS = 10;
const MAX_NOTES = 100;

/** The value without the keys that models.yaml does not have or whose values it does not take; each is named in a note. */
export function onlyValid(value: Record<string, unknown>): { file: ModelsFile; notes: string[] } {
  const notes: string[] = [];
  let left: unknown = structuredClone(value);
  // Taking a key away can bring up another finding of the same group.
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const checked = modelsFileSchema.safeParse(left);
    if (checked.success) return { file: left as ModelsFile, notes };
    for (const issue of checked.error.issues) {
      for (const { path, code } of describeIssue(issue, left)) {
        if (path.length === 0) return { file: {}, notes };
        left = without(left, path);
        if (notes.length < MAX_NOTES) notes.push(noteOf(path, code));
      }
    }
  }
  return { file: {}, notes };
}

/** The values themselves are not repeated: one in the wrong place may be a key. */
function noteOf(path: ConfigPath, code: string): string {
  const name = importNote(formatPath(path));
  if (code !== 'unknown_key')
    return importNote(
      `${name} was left out: ${code === 'bad_name' ? 'its name' : 'its value'} cannot be used.`,
    );
  const meant = closestName(String(path.at(-1)), keysOf(path.slice(0, -1)));
  return importNote(
    `${name} was left out: there is no such key here${meant === null ? '' : `; ${quoted(meant)} is one`}.`,
  );
}

function without(value: unknown, path: ConfigPath): unknown {
  const [head, ...rest] = path;
  if (head === undefined) return value;
  if (Array.isArray(value)) {
    return rest.length === 0
      ? value.filter((_, index) => index !== head)
      : value.map((item: unknown, index) => (index === head ? without(item, rest) : item));
  }
  if (!isGroup(value) || !Object.hasOwn(value, head)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) =>
      key !== String(head)
        ? [[key, item] as const]
        : rest.length === 0
          ? []
          : [[key, without(item, rest)] as const],
    ),
  );
}
