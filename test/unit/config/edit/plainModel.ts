import type { ConfigEdit } from '../../../../src/protocol/modelsLanguage/configEdit.ts';
import type { Tree } from './writtenYaml.ts';

type Json = Extract<ConfigEdit, { kind: 'set' }>['value'];
type Path = ConfigEdit['path'];

/** Data in the plainest form there is: a group is a list of its pairs. */
export type Plain =
  | { readonly group: readonly (readonly [string, Plain])[] }
  | { readonly items: readonly Plain[] }
  | string
  | number
  | boolean
  | null;

type Parent = Extract<Plain, object>;

export function plainOf(value: unknown): Plain {
  if (value instanceof Map) {
    return {
      group: [...value].map(([key, item]) => [key === null ? '' : String(key), plainOf(item)]),
    };
  }
  if (Array.isArray(value)) return { items: value.map(plainOf) };
  if (value !== null && typeof value === 'object') {
    const tree = value as Tree;
    if ('map' in tree) return { group: tree.map.map(([key, item]) => [key, plainOf(item)]) };
    if ('list' in tree) return { items: tree.list.map(plainOf) };
    return tree.scalar;
  }
  return (value ?? null) as Plain;
}

export function valueOf(plain: Plain): Json {
  if (plain === null || typeof plain !== 'object') return plain;
  if ('items' in plain) return plain.items.map(valueOf);
  return Object.fromEntries(plain.group.map(([key, item]) => [key, valueOf(item)]));
}

/** A place that an edit may name. */
export interface Target {
  readonly path: Path;
  readonly value: Json;
  readonly isGroup: boolean;
  readonly isList: boolean;
  readonly size: number;
}

export function targetsIn(plain: Plain, path: Path = []): Target[] {
  const isParent = plain !== null && typeof plain === 'object';
  const isGroup = isParent && 'group' in plain;
  const isList = isParent && 'items' in plain;
  const inner = isParent ? membersOf(plain) : [];
  const here = { path, value: valueOf(plain), isGroup, isList, size: inner.length };
  return [here, ...inner.flatMap(([key, item]) => targetsIn(item, [...path, key]))];
}

function membersOf(parent: Parent): (readonly [string | number, Plain])[] {
  return 'group' in parent
    ? [...parent.group]
    : parent.items.map((item, index): [number, Plain] => [index, item]);
}

/** What an edit makes of the data; null when it cannot be made. */
export function edited(root: Plain, edit: ConfigEdit): Plain | null {
  const path = edit.kind === 'remove' ? goingWith(root, edit.path) : edit.path;
  const key = path.at(-1);
  if (key === undefined) return null;
  return at(root, path.slice(0, -1), (parent) => {
    const members = membersOf(parent);
    const index = members.findIndex(([each]) => each === key);
    switch (edit.kind) {
      case 'set': {
        const entry = [key, plainOf(toMaps(edit.value))] as const;
        return made(parent, index < 0 ? [...members, entry] : members.with(index, entry));
      }
      case 'remove':
        return made(parent, members.toSpliced(index, 1));
      case 'rename':
        if (edit.to !== key && members.some(([each]) => each === edit.to)) return null;
        return made(
          parent,
          members.map(([each, item]) => [each === key ? edit.to : each, item]),
        );
      case 'move': {
        const moved = members[index];
        if (moved === undefined) return null;
        return made(parent, members.toSpliced(index, 1).toSpliced(edit.to, 0, moved));
      }
    }
  });
}

/** The group that a key is the last one of goes with it. */
export function goingWith(root: Plain, path: Path): Path {
  const parentPath = path.slice(0, -1);
  const parent = targetsIn(root).find(
    (target) => JSON.stringify(target.path) === JSON.stringify(parentPath),
  );
  if (parentPath.length === 0 || !parent?.isGroup || parent.size > 1) return path;
  return isNamed(parentPath) ? path : goingWith(root, parentPath);
}

/** Entries whose name a person chose stay when they are empty. */
function isNamed(path: Path): boolean {
  const [section, second] = path;
  const isSection = ['endpoints', 'pools', 'gates', 'models', 'fleet'].includes(String(section));
  if (path.length === 2) return isSection;
  if (path.length === 3) return section === 'failover' && second === 'chains';
  return (
    path.length === 4 && section === 'endpoints' && ['headers', 'env'].includes(String(path[2]))
  );
}

function at(root: Plain, path: Path, change: (parent: Parent) => Plain | null): Plain | null {
  if (root === null || typeof root !== 'object') return null;
  const [segment, ...rest] = path;
  if (segment === undefined) return change(root);
  const members = membersOf(root);
  const index = members.findIndex(([key]) => key === segment);
  const inner = members[index]?.[1];
  if (inner === undefined) return null;
  const next = at(inner, rest, change);
  return next === null ? null : made(root, members.with(index, [segment, next]));
}

function made(parent: Parent, members: readonly (readonly [string | number, Plain])[]): Plain {
  return 'group' in parent
    ? { group: members.map(([key, item]) => [String(key), item]) }
    : { items: members.map(([, item]) => item) };
}

/** As the test's own data: order as in the edit. */
function toMaps(value: Json): unknown {
  if (Array.isArray(value)) return value.map(toMaps);
  if (value === null || typeof value !== 'object') return value;
  return new Map(Object.entries(value).map(([key, item]) => [key, toMaps(item)]));
}
