import type { ConfigEdit } from '../../protocol/modelsLanguage/configEdit.ts';
import { formatPath, type ConfigPath } from '../configPath.ts';
import {
  type Data,
  type DataMap,
  dataAt,
  inFileOrder,
  isDataList,
  isDataMap,
  isSameData,
  toData,
} from './data.ts';
import { isNamedEntry } from './isNamedEntry.ts';
import { isRefusal, type Refusal, refuse } from './refusal.ts';

/** What the data of a file must be after an edit; never changes what it is given. */
export function editedData(root: Data, edit: ConfigEdit): Data | Refusal {
  switch (edit.kind) {
    case 'set':
      return withValue(root, edit.path, inFileOrder(dataAt(root, edit.path), toData(edit.value)));
    case 'remove':
      return withoutPath(root, edit.path);
    case 'rename':
      return withRenamed(root, edit.path, edit.to);
    case 'move':
      return withMoved(root, edit.path, edit.to);
  }
}

/** The path that really goes with `path`: a group that would be left empty goes as well, where the schema does not need it. */
export function removedPath(root: Data, path: ConfigPath): ConfigPath {
  const parentPath = path.slice(0, -1);
  const parent = dataAt(root, parentPath);
  const isLeftEmpty = isDataMap(parent) && parent.size === 1;
  if (parentPath.length === 0 || !isLeftEmpty || isNamedEntry(parentPath)) return path;
  return removedPath(root, parentPath);
}

/** @param done the path to `node`, for the words of a refusal */
export function withValue(
  node: Data | undefined,
  path: ConfigPath,
  value: Data,
  done: ConfigPath = [],
): Data | Refusal {
  const [segment, ...rest] = path;
  if (segment === undefined) return value;
  const here = [...done, segment];
  if (isDataList(node)) {
    if (typeof segment !== 'number') return refuse(`${nameOf(done)} is a list, not a group.`);
    if (segment > node.length) return refuse(`${nameOf(done)} has no place ${segment + 1}.`);
    const next = withValue(node[segment], rest, value, here);
    return isRefusal(next) ? next : node.toSpliced(segment, 1, next);
  }
  if (node === undefined || node === null) {
    const next = withValue(undefined, rest, value, here);
    if (isRefusal(next)) return next;
    if (typeof segment === 'string') return new Map([[segment, next]]);
    return segment === 0 ? [next] : refuse(`${nameOf(done)} has no place ${segment + 1}.`);
  }
  if (!isDataMap(node)) return refuse(`${nameOf(done)} is a single value, not a group.`);
  if (typeof segment !== 'string') return refuse(`${nameOf(done)} is a group, not a list.`);
  const next = withValue(node.get(segment), rest, value, here);
  return isRefusal(next) ? next : new Map(node).set(segment, next);
}

function withoutPath(root: Data, path: ConfigPath): Data | Refusal {
  if (path.length === 0) return refuse('The whole file is not taken away.');
  if (dataAt(root, path) === undefined) return root;
  return changed(root, removedPath(root, path), (parent, segment) => {
    if (isDataList(parent)) return parent.toSpliced(Number(segment), 1);
    const copy = new Map(parent);
    copy.delete(String(segment));
    return copy;
  });
}

function withRenamed(root: Data, path: ConfigPath, to: string): Data | Refusal {
  return changed(root, path, (parent, segment) => {
    if (isDataList(parent)) return refuse('An item of a list has no name.');
    if (segment !== to && parent.has(to)) {
      return refuse(`There is a ${nameOf([...path.slice(0, -1), to])} already.`);
    }
    return new Map([...parent].map(([key, value]) => [key === segment ? to : key, value] as const));
  });
}

function withMoved(root: Data, path: ConfigPath, to: number): Data | Refusal {
  return changed(root, path, (parent, segment) => {
    if (isDataList(parent)) {
      const item = parent[Number(segment)] ?? null;
      return parent.toSpliced(Number(segment), 1).toSpliced(to, 0, item);
    }
    const others = [...parent].filter(([key]) => key !== segment);
    return new Map(others.toSpliced(to, 0, [String(segment), parent.get(String(segment)) ?? null]));
  });
}

/** The data with the group or list around `path` replaced. */
function changed(
  root: Data,
  path: ConfigPath,
  change: (parent: DataMap | readonly Data[], segment: string | number) => Data | Refusal,
): Data | Refusal {
  const segment = path.at(-1);
  const parentPath = path.slice(0, -1);
  const parent = dataAt(root, parentPath);
  if (segment === undefined || dataAt(root, path) === undefined) {
    return refuse(`There is no ${nameOf(path)}.`);
  }
  if (!isDataList(parent) && !isDataMap(parent)) return refuse(`There is no ${nameOf(path)}.`);
  const next = change(parent, segment);
  if (isRefusal(next)) return next;
  return isSameData(next, parent) ? root : withValue(root, parentPath, next);
}

/** A path in a sentence. */
function nameOf(path: ConfigPath): string {
  return path.length === 0 ? 'The file' : `"${formatPath(path)}"`;
}
