import { isDeepStrictEqual } from 'node:util';
import type { ConfigPath } from '../configPath.ts';

/** Data of a file with the order of its keys, which plain objects lose for keys such as "1". */
export type Data = DataMap | readonly Data[] | string | number | boolean | null;
export type DataMap = ReadonlyMap<string, Data>;

export function isDataMap(value: unknown): value is DataMap {
  return value instanceof Map;
}

export function isDataList(value: unknown): value is readonly Data[] {
  return Array.isArray(value);
}

/** Maps and plain objects become maps with text keys. What aliases share stays shared, or it could grow without end. */
export function toData(value: unknown, known = new Map<object, Data>()): Data {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'object') return value as Data;
  const seen = known.get(value);
  if (seen !== undefined) return seen;
  if (Array.isArray(value)) {
    const items: Data[] = [];
    known.set(value, items);
    items.push(...value.map((item) => toData(item, known)));
    return items;
  }
  const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);
  // A date or bytes, which only an old version of YAML or a tag makes.
  if (!(value instanceof Map) && !isPlain) return value as Data;
  const map = new Map<string, Data>();
  known.set(value, map);
  const entries = value instanceof Map ? value : Object.entries(value);
  for (const [key, item] of entries) map.set(keyText(key), toData(item, known));
  return map;
}

/** As the parser writes keys of objects. */
export function keyText(key: unknown): string {
  if (typeof key === 'string') return key;
  if (key === null || key === undefined) return '';
  return typeof key === 'object' ? JSON.stringify(key) : `${key as number | boolean}`;
}

export function dataAt(root: Data, path: ConfigPath): Data | undefined {
  let value: Data | undefined = root;
  for (const segment of path) {
    if (isDataMap(value)) value = typeof segment === 'string' ? value.get(segment) : undefined;
    else if (isDataList(value)) value = typeof segment === 'number' ? value[segment] : undefined;
    else return undefined;
  }
  return value;
}

/**
 * A value as an edit means it. JSON cannot say where a key such as "12" stands: JavaScript puts it before all others. So a
 * group that has one keeps the order it has in the file.
 */
export function inFileOrder(before: Data | undefined, value: Data): Data {
  if (isDataList(value)) {
    return value.map((item, index) =>
      inFileOrder(isDataList(before) ? before[index] : undefined, item),
    );
  }
  if (!isDataMap(value)) return value;
  const old = isDataMap(before) ? before : new Map<string, Data>();
  const keys = [...value.keys()];
  const known = keys.some((key) => /^(0|[1-9]\d*)$/.test(key))
    ? new Set([...old.keys()].filter((key) => value.has(key)))
    : new Set<string>();
  const order = [...known, ...keys.filter((key) => !known.has(key))];
  return new Map(order.map((key) => [key, inFileOrder(old.get(key), value.get(key) ?? null)]));
}

/** Equal, the order of keys included. */
export function isSameData(a: Data, b: Data): boolean {
  if (a === b) return true;
  if (isDataMap(a)) {
    if (!isDataMap(b) || a.size !== b.size) return false;
    const others = b.entries();
    for (const [key, value] of a) {
      const other = others.next().value;
      if (other === undefined || other[0] !== key || !isSameData(value, other[1])) return false;
    }
    return true;
  }
  if (isDataList(a)) {
    return (
      isDataList(b) &&
      a.length === b.length &&
      a.every((item, index) => isSameData(item, b[index] ?? null))
    );
  }
  return typeof a === 'object' && typeof b === 'object' && isDeepStrictEqual(a, b);
}
