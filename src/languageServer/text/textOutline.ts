import type { ConfigPath } from '../../config/configPath.ts';

/** A stretch of a text in UTF-16 offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A key or a list item as it stands in the text; quotes and colon are told apart from the name. */
export interface OutlineEntry {
  readonly path: ConfigPath;
  /** Of the key, quotes included; null for an item of a list. */
  readonly key: Span | null;
  /** What stands between the quotes of the key, or the key itself. */
  readonly keyText: string;
  /** Of the value on its own, quotes included; empty (start = end) when there is none in the text. */
  readonly value: Span;
  /** The text of a value that is one scalar, without quotes and escapes undone; null for groups, lists and long texts. */
  readonly scalar: string | null;
  /** Offset after the last character that belongs to the entry. */
  end: number;
  readonly isFlow: boolean;
}

/** Where a cursor stands, as far as the text says: the schema decides what fits there. */
export interface CursorPlace {
  /** key: a key of the group at `path` may stand here. value: the value of `path`. either: a line of its own, not finished. */
  readonly kind: 'key' | 'value' | 'either';
  readonly path: ConfigPath;
  /** The word that a completion replaces; empty when nothing is typed. Quotes are not part of it. */
  readonly word: Span;
  readonly quote: '"' | "'" | null;
  readonly isFlow: boolean;
  /** The word is a key that has its colon already. */
  readonly hasColon: boolean;
  /** A space is needed before what is inserted (`key:|`). */
  readonly needsSpace: boolean;
}

export interface TextOutline {
  readonly entries: readonly OutlineEntry[];
  /** Null: no cursor was asked for, or it is in a comment or a long text. */
  readonly cursor: CursorPlace | null;
}
