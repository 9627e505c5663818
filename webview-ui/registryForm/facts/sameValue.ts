import { groupOf } from './group.ts';

/** Whether two values of a file say the same; the order of keys counts, since it is the priority of endpoints. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, n) => sameValue(item, b[n]));
  const [left, right] = [groupOf(a), groupOf(b)];
  if (left === null || right === null) return false;
  const keys = Object.keys(left);
  return (
    sameValue(keys, Object.keys(right)) && keys.every((key) => sameValue(left[key], right[key]))
  );
}
