import { isMap, isPair, isScalar, isSeq, type Document, type LineCounter, type Node } from 'yaml';
import type { ConfigPath } from './configPath.ts';

/** A stretch of a text; lines and columns count from 1. */
export interface TextRange {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

export const NO_RANGE: TextRange = { line: 0, column: 0, endLine: 0, endColumn: 0 };

/**
 * Where the key (or the value) at a path stands. What came in through a merge key or an alias has no text of its own;
 * the nearest key above it is shown then.
 */
export function rangeOf(
  document: Document.Parsed,
  lines: LineCounter,
  path: ConfigPath,
  what: 'key' | 'value',
): TextRange {
  let node: unknown = document.contents;
  let range: readonly number[] | null | undefined = null;
  for (const [depth, segment] of path.entries()) {
    const step = stepInto(node, segment);
    if (step === null) return toRange(lines, range ?? [0, 0]);
    const isLast = depth === path.length - 1;
    const keyRange = (step.key as Node | null)?.range;
    const valueRange = (step.value as Node | null)?.range;
    range =
      isLast && what === 'value' ? (nonEmpty(valueRange) ?? keyRange) : (keyRange ?? valueRange);
    node = step.value;
  }
  return toRange(lines, range ?? [0, 0]);
}

export function toRange(lines: LineCounter, range: readonly number[]): TextRange {
  const start = lines.linePos(range[0] ?? 0);
  const end = lines.linePos(Math.max(range[1] ?? 0, range[0] ?? 0));
  return {
    line: Math.max(start.line, 1),
    column: Math.max(start.col, 1),
    endLine: Math.max(end.line, 1),
    endColumn: Math.max(end.col, 1),
  };
}

function stepInto(
  node: unknown,
  segment: string | number,
): { key: unknown; value: unknown } | null {
  if (isMap(node)) {
    // The last one: with a duplicate key it is the one whose value counts.
    const pair = node.items.findLast(
      (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(segment),
    );
    return pair === undefined ? null : { key: pair.key, value: pair.value };
  }
  if (isSeq(node) && typeof segment === 'number') {
    const item = node.items[segment];
    return item === undefined ? null : { key: null, value: item };
  }
  return null;
}

function nonEmpty(range: readonly number[] | null | undefined): readonly number[] | null {
  if (!range || range[0] === range[1]) return null;
  return range;
}
