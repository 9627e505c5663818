import type { ConfigPath } from '../../config/configPath.ts';
import { FlowReader } from './flowReader.ts';
import { type FoundScalar, scalarAt } from './scalarAt.ts';
import type { CursorPlace, OutlineEntry, TextOutline } from './textOutline.ts';

/** A quoted text that goes on for longer is taken for one whose quote was forgotten. */
const MAX_QUOTED_LINES = 200;

interface Frame {
  /** Column at which its key, or the dash of its item, stands. */
  readonly indent: number;
  readonly path: ConfigPath;
  readonly isItem: boolean;
  readonly entry: OutlineEntry | null;
  /** Items so far, of a list right below it. */
  items: number;
}

/**
 * Reads the keys of a YAML text line by line, whatever state it is in: while somebody types, the text is broken more often than
 * not, and a parser then has no answer for the very place that matters. It knows block and flow style, quotes, comments,
 * anchors, tags and long texts; in a text without errors it finds the keys that the parser finds (a test compares them).
 */
export function readOutline(text: string, cursor: number | null = null): TextOutline {
  return new OutlineReader(text, cursor).read();
}

class OutlineReader {
  readonly #text: string;
  readonly #cursor: number;
  readonly #entries: OutlineEntry[] = [];
  #stack: Frame[] = [root()];
  #place: CursorPlace | null = null;

  constructor(text: string, cursor: number | null) {
    this.#text = text;
    this.#cursor = cursor ?? -1;
  }

  read(): TextOutline {
    const text = this.#text;
    let position = text.startsWith('\uFEFF') ? 1 : 0;
    while (position <= text.length) position = this.#line(position);
    this.#pop(-1);
    return { entries: this.#entries, cursor: this.#place };
  }

  /** Reads the line, and what of the next ones belongs to its value; answers with the offset of the next line. */
  #line(start: number): number {
    const end = this.#lineEnd(start);
    let position = start;
    while (position < end && this.#text[position] === ' ') position++;
    const rest = this.#text.slice(position, end);
    if (rest === '' || rest.startsWith('#')) {
      // A cursor within the comment gets nothing; one before it is on an empty line.
      if (this.#isAt(start, rest === '' ? end : position - 1)) this.#emptyLine(start);
      return this.#next(end);
    }
    if (position === start && /^(---|\.\.\.)(\s|$)/.test(rest)) {
      this.#pop(-1);
      this.#stack = [root()];
      return this.#next(end);
    }
    return this.#content(start, position, end);
  }

  #content(lineStart: number, position: number, end: number): number {
    const column = position - lineStart;
    const text = this.#text;
    if (text[position] === '-' && (position + 1 >= end || /[ \t]/.test(text[position + 1] ?? ''))) {
      const item = this.#openItem(column, position);
      let inner = position + 1;
      while (inner < end && /[ \t]/.test(text[inner] ?? '')) inner++;
      if (inner >= end || text[inner] === '#') {
        if (this.#isAt(position + 1, inner)) {
          this.#setPlace('either', item.path, this.#cursor, this.#cursor, {
            needsSpace: this.#cursor === position + 1,
          });
        }
        return this.#next(end);
      }
      return this.#content(lineStart, inner, end);
    }
    const isAlone = position + 1 >= end || /[ \t]/.test(text[position + 1] ?? '');
    if (isAlone && (text[position] === '?' || text[position] === ':')) {
      return this.#explicit(lineStart, position, end);
    }
    const key = scalarAt(text, position, end, 'key');
    const isKey = key !== null && text[key.colon] === ':' && !/[{[]/.test(text[position] ?? '');
    this.#pop(column);
    if (!isKey) return this.#loose(position, end);
    const container = this.#top();
    const path = [...container.path, key.text];
    if (this.#isAt(key.inner.start, key.inner.end)) {
      this.#setPlace('key', container.path, key.inner.start, key.inner.end, {
        quote: key.quote,
        hasColon: true,
      });
    }
    return this.#value(
      path,
      column,
      { start: position, end: key.end },
      key.text,
      key.colon + 1,
      end,
    );
  }

  /** A key behind a "?", or the value of one behind a ":" on a line of its own: nobody writes that, but some programs do. */
  #explicit(lineStart: number, position: number, end: number): number {
    const column = position - lineStart;
    const inner = skipProperties(this.#text, position + 1, end);
    if (this.#text[position] === ':') {
      this.#pop(column + 1);
      return inner >= end ? this.#next(end) : this.#content(lineStart, inner, end);
    }
    this.#pop(column);
    const key = scalarAt(this.#text, inner, end, 'value');
    if (key === null) return this.#next(end);
    const span = { start: key.start, end: key.end };
    const path = [...this.#top().path, key.text];
    const value = { start: key.end, end: key.end };
    const entry: OutlineEntry = {
      ...{ path, key: span, keyText: key.text, value },
      ...{ scalar: null, end: key.end, isFlow: false },
    };
    this.#entries.push(entry);
    this.#stack.push({ indent: column, path, isItem: false, entry, items: 0 });
    return this.#next(end);
  }

  /** A value of the line above that goes on here, or a key that has no colon yet. */
  #loose(position: number, end: number): number {
    const top = this.#top();
    const first = this.#text[position];
    if (first === '{' || first === '[') {
      const flow = this.#flow(position, top.path, top.indent);
      return this.#afterFlow(flow);
    }
    if (first === '|' || first === '>') {
      const after = this.#longTextEnd(end, top.indent);
      this.#grow(after);
      return this.#next(after);
    }
    const limit = first === '"' || first === "'" ? this.#quoteLimit(position, top.indent) : end;
    const word = scalarAt(this.#text, position, limit, 'value');
    if (word === null) return this.#next(end);
    this.#grow(word.end);
    if (this.#isAt(word.inner.start, word.inner.end)) {
      this.#setPlace('either', top.path, word.inner.start, word.inner.end, { quote: word.quote });
    }
    return this.#next(this.#lineEnd(word.end));
  }

  #value(
    path: ConfigPath,
    indent: number,
    key: { start: number; end: number },
    keyText: string,
    from: number,
    end: number,
  ): number {
    const text = this.#text;
    let position = skipProperties(text, from, end);
    const gapEnd = position;
    const first = position < end ? text[position] : undefined;
    const open = (value: { start: number; end: number }, scalar: string | null): OutlineEntry => {
      const entry = { path, key, keyText, value, scalar, end: value.end, isFlow: false };
      this.#entries.push(entry);
      this.#stack.push({ indent, path, isItem: false, entry, items: 0 });
      return entry;
    };
    const atGap = (): void => {
      if (!this.#isAt(from, gapEnd)) return;
      this.#setPlace('value', path, this.#cursor, this.#cursor, {
        needsSpace: this.#cursor === from,
      });
    };
    if (first === undefined || first === '#') {
      open({ start: from, end: from }, null);
      atGap();
      return this.#next(end);
    }
    if (first === '|' || first === '>') {
      const after = this.#longTextEnd(end, indent);
      open({ start: position, end: after }, null);
      this.#grow(after);
      return this.#next(after);
    }
    if (first === '{' || first === '[') {
      const entry = open({ start: position, end: position }, null);
      const flowEnd = this.#flow(position, path, indent);
      (entry.value as { end: number }).end = flowEnd;
      this.#grow(flowEnd);
      atGap();
      return this.#afterFlow(flowEnd);
    }
    const limit = first === '"' || first === "'" ? this.#quoteLimit(position, indent) : end;
    const scalar = scalarAt(text, position, limit, 'value');
    position = scalar?.end ?? end;
    open(
      { start: scalar?.start ?? end, end: position },
      scalar === null ? null : plainText(scalar),
    );
    this.#grow(position);
    if (scalar !== null && this.#isAt(scalar.inner.start, scalar.inner.end)) {
      this.#setPlace('value', path, scalar.inner.start, scalar.inner.end, { quote: scalar.quote });
    } else atGap();
    return this.#next(this.#lineEnd(position));
  }

  #flow(position: number, path: ConfigPath, indent: number): number {
    const reader = new FlowReader(this.#text, indent, this.#cursor);
    const end = reader.read(position, path);
    this.#entries.push(...reader.entries);
    this.#place ??= reader.place;
    return end;
  }

  /** One that was never closed ends where the next line begins. */
  #afterFlow(end: number): number {
    return this.#text[end - 1] === '\n' ? end : this.#next(this.#lineEnd(end));
  }

  #openItem(column: number, position: number): Frame {
    while (this.#stack.length > 1) {
      const top = this.#top();
      if (top.indent < column || (top.indent === column && !top.isItem)) break;
      this.#stack.pop();
    }
    const owner = this.#top();
    const path = [...owner.path, owner.items++];
    const scalar = this.#itemScalar(position);
    const value = {
      start: scalar?.start ?? position + 1,
      end: scalar?.end ?? position + 1,
    };
    const entry: OutlineEntry = {
      path,
      key: null,
      keyText: '',
      value,
      scalar: scalar === null ? null : plainText(scalar),
      end: value.end,
      isFlow: false,
    };
    this.#entries.push(entry);
    const frame = { indent: column, path, isItem: true, entry, items: 0 };
    this.#stack.push(frame);
    this.#grow(value.end);
    return frame;
  }

  /** The scalar of an item; null for groups, lists and long texts. */
  #itemScalar(dash: number): FoundScalar | null {
    const end = this.#lineEnd(dash);
    const start = skipProperties(this.#text, dash + 1, end);
    if (/^([{[|>]|-\s)/.test(this.#text.slice(start, start + 2))) return null;
    if ((scalarAt(this.#text, start, end, 'key')?.colon ?? -1) >= 0) return null;
    return scalarAt(this.#text, start, end, 'value');
  }

  /** Leaves what ends before a key (or a loose word) in this column. */
  #pop(column: number): void {
    while (this.#stack.length > 1 && this.#top().indent >= column) this.#stack.pop();
  }

  #emptyLine(start: number): void {
    const column = this.#cursor - start;
    let depth = this.#stack.length - 1;
    while (depth > 0 && (this.#stack[depth]?.indent ?? 0) >= column) depth--;
    const path = this.#stack[depth]?.path ?? [];
    this.#setPlace('either', path, this.#cursor, this.#cursor, {});
  }

  /** After the last line of a `|` or `>` text. */
  #longTextEnd(lineEnd: number, indent: number): number {
    let last = lineEnd;
    for (let start = this.#next(lineEnd); start <= this.#text.length;) {
      const end = this.#lineEnd(start);
      const line = this.#text.slice(start, end);
      if (line.trim() !== '') {
        if (line.search(/[^ ]/) <= indent) break;
        last = end;
      }
      start = this.#next(end);
    }
    return last;
  }

  /** A quote that is not closed on its line goes on, but not into what is plainly the next key. */
  #quoteLimit(position: number, indent: number): number {
    let end = this.#lineEnd(position);
    let line = this.#next(end);
    for (let lines = 0; line <= this.#text.length && lines < MAX_QUOTED_LINES; lines++) {
      if (scalarAt(this.#text, position, end, 'value')?.isClosed !== false) return end;
      const next = this.#text.slice(line, this.#lineEnd(line));
      const column = next.search(/[^ ]/);
      if (column >= 0 && column <= indent && /^[^\s:]+:(\s|$)/.test(next.trimStart())) {
        return this.#lineEnd(position);
      }
      end = this.#lineEnd(line);
      line = this.#next(end);
    }
    return end;
  }

  #grow(end: number): void {
    for (const { entry } of this.#stack) {
      if (entry !== null && entry.end < end) entry.end = end;
    }
  }

  #top(): Frame {
    return this.#stack.at(-1) ?? root();
  }

  #isAt(start: number, end: number): boolean {
    return this.#place === null && this.#cursor >= start && this.#cursor <= end;
  }

  #setPlace(
    kind: CursorPlace['kind'],
    path: ConfigPath,
    start: number,
    end: number,
    extra: Partial<CursorPlace>,
  ): void {
    this.#place = {
      kind,
      path,
      word: { start, end },
      quote: null,
      isFlow: false,
      hasColon: false,
      needsSpace: false,
      ...extra,
    };
  }

  #lineEnd(position: number): number {
    const found = this.#text.indexOf('\n', position);
    const end = found < 0 ? this.#text.length : found;
    return end > position && this.#text[end - 1] === '\r' ? end - 1 : end;
  }

  #next(lineEnd: number): number {
    const found = this.#text.indexOf('\n', lineEnd);
    return found < 0 ? this.#text.length + 1 : found + 1;
  }
}

function root(): Frame {
  return { indent: -1, path: [], isItem: false, entry: null, items: 0 };
}

/** Past spaces, anchors and tags. */
function skipProperties(text: string, from: number, end: number): number {
  let position = from;
  for (;;) {
    while (position < end && /[ \t]/.test(text[position] ?? '')) position++;
    if (position >= end || !/[&!]/.test(text[position] ?? '')) return position;
    while (position < end && !/[ \t]/.test(text[position] ?? '')) position++;
  }
}

/** What it says; null for an alias, whose text stands elsewhere. */
function plainText({ text, quote }: FoundScalar): string | null {
  return quote === null && text.startsWith('*') ? null : text;
}
