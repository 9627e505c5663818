import { Scalar } from 'yaml';
import { type Data, type DataMap, isDataList, isDataMap } from './data.ts';
import { blockScalarText } from './blockScalarText.ts';
import { scalarText } from './scalarText.ts';

/** How a value is written at its place. */
export interface ValueStyle {
  /** Inside of brackets, where everything goes on one line. */
  readonly isFlow: boolean;
  /** Column of the key or "-" that holds the value. */
  readonly indent: number;
  /** Columns that each level goes in. */
  readonly step: number;
  /** Style of the scalar that is replaced or of its neighbours. */
  readonly scalar: Scalar.Type | null;
  readonly key: Scalar.Type | null;
  /** How groups (lists) beside it are written; null: by their length. */
  readonly isMapFlow: boolean;
  readonly isListFlow: boolean | null;
  /** Columns that the "-" of a list goes in from its key. */
  readonly listIndent: number;
  /** Only what is certain to be read as meant. */
  readonly isSafe: boolean;
}

export interface ValueText {
  /** On the line of the key. */
  readonly inline: string;
  /** Lines below it, without their line ends. */
  readonly below: readonly string[];
}

const MAX_FLOW_CHARS = 80;

export function valueText(value: Data, style: ValueStyle): ValueText {
  if (isDataMap(value)) {
    const flow = flowText(value, style);
    const isShort = flow.length <= MAX_FLOW_CHARS;
    if (style.isFlow || (style.isMapFlow && isShort) || value.size === 0)
      return { inline: flow, below: [] };
    return { inline: '', below: mapLines(value, style, style.indent + style.step) };
  }
  if (isDataList(value)) {
    const flow = flowText(value, style);
    const isShort =
      flow.length <= MAX_FLOW_CHARS &&
      value.every((item) => item === null || typeof item !== 'object');
    if (style.isFlow || value.length === 0 || (style.isListFlow ?? isShort))
      return { inline: flow, below: [] };
    return { inline: '', below: listLines(value, style) };
  }
  const block = typeof value === 'string' ? blockText(value, style) : null;
  return block ?? { inline: oneLine(value, style), below: [] };
}

/** `key: value` as lines that begin at a column. */
export function entryText(key: string, value: Data, style: ValueStyle, column: number): string[] {
  const { inline, below } = valueText(value, { ...style, indent: column });
  const name = scalarText(key, { isFlow: false, style: style.key });
  return [`${' '.repeat(column)}${name}:${inline === '' ? '' : ` ${inline}`}`, ...below];
}

export function itemText(value: Data, style: ValueStyle, column: number): string[] {
  const isFlowItem = { ...style, indent: column, isMapFlow: true, isListFlow: true };
  const { inline, below } = valueText(value, isFlowItem);
  return [`${' '.repeat(column)}- ${inline}`, ...below];
}

export function flowEntry(key: string, value: Data, style: ValueStyle): string {
  return `${scalarText(key, { isFlow: true, style: style.key })}: ${flowText(value, style)}`;
}

export function flowText(value: Data, style: ValueStyle): string {
  if (isDataMap(value)) {
    const entries = [...value].map(([key, item]) => flowEntry(key, item, style));
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  if (isDataList(value)) {
    return `[${value.map((item) => flowText(item, style)).join(', ')}]`;
  }
  return oneLine(value, { ...style, isFlow: true });
}

function oneLine(value: Data, style: ValueStyle): string {
  const scalar = style.isSafe ? Scalar.QUOTE_DOUBLE : style.scalar;
  const isKept = scalar === Scalar.QUOTE_DOUBLE || scalar === Scalar.QUOTE_SINGLE;
  return scalarText(value as string | number | boolean | null, {
    isFlow: style.isFlow,
    style: isKept ? scalar : null,
  });
}

function mapLines(map: DataMap, style: ValueStyle, column: number): string[] {
  return [...map].flatMap(([key, value]) => entryText(key, value, style, column));
}

function listLines(items: readonly Data[], style: ValueStyle): string[] {
  return items.flatMap((item) => itemText(item, style, style.indent + style.listIndent));
}

/** A text over several lines, where it may stand like that. */
function blockText(value: string, style: ValueStyle): ValueText | null {
  const isFolded = style.scalar === Scalar.BLOCK_FOLDED;
  const isBlock =
    isFolded ||
    style.scalar === Scalar.BLOCK_LITERAL ||
    (style.scalar !== Scalar.QUOTE_DOUBLE && value.includes('\n'));
  if (!isBlock || style.isFlow || style.isSafe) return null;
  const indent = style.indent + style.step;
  return blockScalarText(value, { isFolded, indent, step: style.step });
}
