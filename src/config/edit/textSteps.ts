import type { ConfigEdit } from '../../protocol/modelsLanguage/configEdit.ts';
import type { ConfigPath } from '../configPath.ts';
import { type Data, type DataMap, dataAt, isDataList, isDataMap, isSameData } from './data.ts';
import { removedPath } from './editedData.ts';
import { isCollection } from './members.ts';
import { isEmptyCollection, memberOf, placeOf } from './place.ts';
import type { SourceText } from './sourceText.ts';

/** A change of one place of the text. */
export type TextStep =
  | { readonly kind: 'set'; readonly path: ConfigPath; readonly value: Data }
  /** Puts an item into a list. */
  | {
      readonly kind: 'insert';
      readonly path: ConfigPath;
      readonly at: number;
      readonly value: Data;
    }
  /** Takes a key or item away; what is around it stays, as `{}` or `[]` if need be. */
  | { readonly kind: 'drop'; readonly path: ConfigPath }
  | { readonly kind: 'rename'; readonly path: ConfigPath; readonly to: string }
  | { readonly kind: 'move'; readonly path: ConfigPath; readonly to: number };

/** An edit as steps, each as small as it can be: a group that is set anew keeps the text of whatever in it stays the same. */
export function textSteps(source: SourceText, edit: ConfigEdit, expected: Data): TextStep[] {
  if (edit.kind === 'remove') return [{ kind: 'drop', path: removedPath(source.data, edit.path) }];
  if (edit.kind !== 'set') return [edit];
  return setSteps(
    source,
    edit.path,
    dataAt(source.data, edit.path),
    dataAt(expected, edit.path) ?? null,
  );
}

function setSteps(
  source: SourceText,
  path: ConfigPath,
  before: Data | undefined,
  after: Data,
): TextStep[] {
  if (before !== undefined && isSameData(before, after)) return [];
  if (before !== undefined && hasOwnText(source, path)) {
    if (isDataMap(before) && isDataMap(after) && after.size > 0) {
      return mapSteps(source, path, before, after);
    }
    if (isDataList(before) && isDataList(after) && after.length > 0) {
      return listSteps(path, before, after);
    }
  }
  return [{ kind: 'set', path, value: after }];
}

/** Whether the group or list stands at its place itself, and not through an alias or a merge key. */
function hasOwnText(source: SourceText, path: ConfigPath): boolean {
  const { steps, rest } = placeOf(source, path);
  const step = steps.at(-1);
  const node = step === undefined ? source.document.contents : memberOf(step).value;
  return rest.length === 0 && isCollection(node) && !isEmptyCollection(node);
}

function mapSteps(
  source: SourceText,
  path: ConfigPath,
  before: DataMap,
  after: DataMap,
): TextStep[] {
  const steps: TextStep[] = [];
  for (const [key, value] of after) {
    steps.push(...setSteps(source, [...path, key], before.get(key), value));
  }
  for (const key of before.keys()) {
    if (!after.has(key)) steps.push({ kind: 'drop', path: [...path, key] });
  }
  const order = [...before.keys()].filter((key) => after.has(key));
  order.push(...[...after.keys()].filter((key) => !before.has(key)));
  for (const [index, key] of [...after.keys()].entries()) {
    const from = order.indexOf(key);
    if (from === index) continue;
    steps.push({ kind: 'move', path: [...path, key], to: index });
    order.splice(index, 0, ...order.splice(from, 1));
  }
  return steps;
}

function listSteps(path: ConfigPath, before: readonly Data[], after: readonly Data[]): TextStep[] {
  const steps: TextStep[] = [];
  const items = [...before];
  const isWanted = (item: Data, from: number) =>
    after.slice(from).some((each) => isSameData(each, item));
  for (let index = 0; index < after.length;) {
    const wanted = after[index] ?? null;
    const current = items[index];
    if (current !== undefined && isSameData(current, wanted)) {
      index++;
      continue;
    }
    const found = items.findIndex((item, at) => at > index && isSameData(item, wanted));
    if (current !== undefined && found >= 0 && !isWanted(current, index)) {
      steps.push({ kind: 'drop', path: [...path, index] });
      items.splice(index, 1);
      continue;
    }
    if (found >= 0) {
      steps.push({ kind: 'move', path: [...path, found], to: index });
      items.splice(index, 0, ...items.splice(found, 1));
    } else if (current === undefined || isWanted(current, index)) {
      steps.push({ kind: 'insert', path, at: index, value: wanted });
      items.splice(index, 0, wanted);
    } else {
      steps.push({ kind: 'set', path: [...path, index], value: wanted });
      items[index] = wanted;
    }
    index++;
  }
  while (items.length > after.length) {
    items.pop();
    steps.push({ kind: 'drop', path: [...path, items.length] });
  }
  return steps;
}
