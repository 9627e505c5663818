import { isScalar, type Pair, type YAMLMap } from 'yaml';

/** The pair of a mapping with this key. */
export function pairOf(map: YAMLMap, key: string): Pair | null {
  return map.items.find((item) => isScalar(item.key) && item.key.value === key) ?? null;
}

/** Offset of the key of a pair. */
export function startOf(pair: Pair | undefined): number | null {
  return isScalar(pair?.key) ? (pair.key.range?.[0] ?? null) : null;
}

/** Offset after the line on which the value of a pair ends. */
export function lineEnd(text: string, pair: Pair | undefined): number | null {
  const value = pair?.value;
  if (value === null || typeof value !== 'object' || !('range' in value)) return null;
  const range = value.range as readonly number[] | null | undefined;
  if (!range) return null;
  // Block scalars end after their line break already.
  const valueEnd = range[1] ?? 0;
  if (text[valueEnd - 1] === '\n') return valueEnd;
  const lineBreak = text.indexOf('\n', valueEnd);
  return lineBreak < 0 ? text.length : lineBreak + 1;
}
