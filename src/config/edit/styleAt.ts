import { isMap, isScalar, isSeq, type Node, Scalar, visit } from 'yaml';
import { type Collection, isCollection, type Member, membersOf } from './members.ts';
import type { SourceText } from './sourceText.ts';
import type { ValueStyle } from './valueText.ts';

/**
 * How a value is written in a collection: as its neighbours are.
 * @param replaced what the new value takes the place of; null for an added one
 */
export function styleAt(
  source: SourceText,
  collection: Collection | null,
  replaced: Node | null,
  isSafe: boolean,
): ValueStyle {
  const members = collection === null ? [] : membersOf(collection);
  const values = members.map((member) => member.value).filter((value) => value !== replaced);
  const map = values.findLast((value) => isMap(value) && value.items.length > 0);
  const list = values.findLast((value) => isSeq(value) && value.items.length > 0);
  const step = stepOf(source);
  const isRoot = collection === source.document.contents;
  return {
    isFlow: collection?.flow === true,
    indent: collection === null ? 0 : indentOf(source, collection),
    step,
    scalar: replacedStyle(replaced) ?? neighbourStyle(collection, members),
    key: keyStyle(members),
    isMapFlow: !isRoot && isCollection(map) && map.flow === true,
    isListFlow: isCollection(list) ? list.flow === true : null,
    listIndent: listIndentOf(source) ?? step,
    isSafe,
  };
}

/** A text keeps the quotes that the text before it had; a number had none to keep. */
function replacedStyle(replaced: Node | null): Scalar.Type | null {
  if (!isScalar(replaced) || typeof replaced.value !== 'string') return null;
  return replaced.type ?? null;
}

/** Column of the keys or dashes of a block. */
export function indentOf(source: SourceText, collection: Collection): number {
  const first = membersOf(collection)[0];
  return first === undefined ? 0 : source.column(first.start);
}

/** Where keys in brackets have quotes, as in JSON, or the texts of a list have them, new texts have them too. */
function neighbourStyle(
  collection: Collection | null,
  members: readonly Member[],
): Scalar.Type | null {
  if (collection?.flow !== true) return null;
  const last = members.findLast(({ value }) => isScalar(value) && typeof value.value === 'string');
  const sample = isMap(collection) ? members.at(-1)?.key : last?.value;
  return isScalar(sample) && sample.type === Scalar.QUOTE_DOUBLE ? Scalar.QUOTE_DOUBLE : null;
}

function keyStyle(members: readonly Member[]): Scalar.Type | null {
  const key = members.at(-1)?.key;
  const isQuoted = isScalar(key) && (key.type === 'QUOTE_DOUBLE' || key.type === 'QUOTE_SINGLE');
  return isQuoted ? (key.type ?? null) : null;
}

/** Columns that the first group inside of another goes in; 2 when there is none. */
function stepOf(source: SourceText): number {
  let step: number | null = null;
  visit(source.document, {
    Pair(_, { key, value }) {
      if (!isMap(value) || value.flow === true || value.items.length === 0) return undefined;
      step = indentOf(source, value) - source.column(isScalar(key) ? (key.range?.[0] ?? 0) : 0);
      return step > 0 ? visit.BREAK : undefined;
    },
  });
  return step === null || step <= 0 ? 2 : step;
}

function listIndentOf(source: SourceText): number | null {
  let indent: number | null = null;
  visit(source.document, {
    Pair(_, { key, value }) {
      if (!isSeq(value) || value.flow === true || value.items.length === 0) return undefined;
      indent = indentOf(source, value) - source.column(isScalar(key) ? (key.range?.[0] ?? 0) : 0);
      return visit.BREAK;
    },
  });
  return indent;
}
