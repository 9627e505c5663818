import {
  type CST,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { keyText } from './data.ts';

export type Collection = YAMLMap | YAMLSeq;

/** An entry of a group or an item of a list, with the offsets that edits need. */
export interface Member {
  readonly key: Node | null;
  readonly value: Node | null;
  /** Where its first character stands: its key, its "-", or a mark such as "&x" before them. */
  readonly start: number;
  /** Behind the ":" or "-" and the marks "&x" and "!tag": a value is written from here on. */
  readonly slot: number;
  /** Whether there is a ":" or "-", or no need for one. */
  readonly isOpen: boolean;
  /** Behind its last character, a comment on the line not counted. */
  readonly end: number;
}

export function isCollection(node: unknown): node is Collection {
  return isMap(node) || isSeq(node);
}

/** Name of a key as the data has it; null for a merge key ("<<"), which is no key of the data. */
export function nameOfKey(key: unknown): string | null {
  if (isAlias(key)) return null;
  if (!isScalar(key)) return keyText(key);
  const isMerge = key.value === '<<' && (key.type === undefined || key.type === 'PLAIN');
  return isMerge || typeof key.value === 'symbol' ? null : keyText(key.value);
}

export function membersOf(collection: Collection): Member[] {
  const tokens = (collection.srcToken as CST.BlockMap | CST.BlockSequence | CST.FlowCollection)
    .items as readonly CST.CollectionItem[];
  const isList = isSeq(collection);
  return collection.items.map((item, index) => {
    const token = isList
      ? tokens[index]
      : ((item as { srcToken?: CST.CollectionItem }).srcToken ?? tokens[index]);
    return isList
      ? memberOfList(item as Node | null, token, collection.flow === true)
      : memberOfMap(item as { key: Node | null; value: Node | null }, token);
  });
}

/** Behind the last character of a value. */
function endOf(node: Node | null, otherwise: number): number {
  if (node === null) return otherwise;
  if (isCollection(node) && node.flow !== true) {
    const last = membersOf(node).at(-1);
    return last === undefined ? otherwise : last.end;
  }
  const [start, end] = node.range ?? [0, 0];
  return start === end && isScalar(node) ? otherwise : end;
}

function memberOfMap(
  pair: { key: Node | null; value: Node | null },
  token: CST.CollectionItem | undefined,
): Member {
  const first = firstOf(token);
  const keyEnd = pair.key?.range?.[1] ?? first;
  const colon = token?.sep?.find((each) => each.type === 'map-value-ind');
  const slot = behindMarks(token?.sep ?? [], 'map-value-ind', keyEnd);
  const end = endOf(pair.value, slot);
  return { key: pair.key, value: pair.value, start: first, slot, isOpen: colon !== undefined, end };
}

function memberOfList(
  value: Node | null,
  token: CST.CollectionItem | undefined,
  isFlow: boolean,
): Member {
  const first = firstOf(token);
  const slot = isFlow
    ? (value?.range?.[0] ?? first)
    : behindMarks(token?.start ?? [], 'seq-item-ind', first);
  return { key: null, value, start: first, slot, isOpen: true, end: endOf(value, slot) };
}

const SPACE = new Set<string>(['space', 'newline', 'comment', 'comma']);

function firstOf(token: CST.CollectionItem | undefined): number {
  const mark = token?.start.find((each) => !SPACE.has(each.type));
  const content = token?.key ?? token?.sep?.[0] ?? token?.value;
  return mark?.offset ?? content?.offset ?? 0;
}

function behindMarks(
  tokens: readonly CST.SourceToken[],
  indicator: 'map-value-ind' | 'seq-item-ind',
  otherwise: number,
): number {
  const from = tokens.findIndex((each) => each.type === indicator);
  const mark = tokens.findLast(
    (each, index) => index >= from && (each.type === indicator || isMark(each)),
  );
  return from < 0 || mark === undefined ? otherwise : mark.offset + mark.source.length;
}

function isMark(token: CST.SourceToken): boolean {
  return token.type === 'anchor' || token.type === 'tag';
}
