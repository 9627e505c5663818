import type { ConfigPath } from '../../config/configPath.ts';
import { type FoundScalar, scalarAt } from './scalarAt.ts';
import type { CursorPlace, OutlineEntry } from './textOutline.ts';

/** Nesting that people write stays far below; more is not read, so that a hostile text cannot exhaust the stack. */
const MAX_DEPTH = 50;

/** Reads one `{…}` or `[…]`, closed or not. */
export class FlowReader {
  readonly entries: OutlineEntry[] = [];
  place: CursorPlace | null = null;
  readonly #text: string;
  /** Column of the key that the collection belongs to: a key at or left of it shows that a bracket was never closed. */
  readonly #indent: number;
  readonly #cursor: number;
  #limit = 0;

  constructor(text: string, indent: number, cursor: number) {
    this.#text = text;
    this.#indent = indent;
    this.#cursor = cursor;
  }

  /** Answers with the offset after it. */
  read(start: number, path: ConfigPath): number {
    this.#limit = this.#recoverAt(start);
    return this.#collection(start, path, 0);
  }

  #collection(start: number, path: ConfigPath, depth: number): number {
    const isMap = this.#text[start] === '{';
    let position = start + 1;
    for (let item = 0; position < this.#limit; item++) {
      const inner = isMap ? path : [...path, item];
      const gapStart = position;
      position = this.#skip(position);
      const first = this.#text[position];
      if (this.#isAt(gapStart, position) && !this.#isWord(first)) {
        this.#setPlace(isMap ? 'key' : 'value', inner, null, false);
      }
      if (position >= this.#limit) break;
      if (first === ',') {
        position++;
        if (!isMap) item--;
        continue;
      }
      if (first === '}' || first === ']') return position + 1;
      position = isMap
        ? this.#pair(position, path, depth)
        : this.#value(position, inner, null, '', depth);
      position = this.#skip(position);
      if (this.#text[position] === ',') position++;
    }
    return Math.min(position, this.#limit);
  }

  #pair(start: number, path: ConfigPath, depth: number): number {
    const key = scalarAt(this.#text, this.#properties(start), this.#limit, 'flow');
    if (key === null) return this.#oddCharacter(start);
    if (this.#isAt(key.inner.start, key.inner.end)) {
      this.#setPlace('key', path, key, key.colon >= 0);
    }
    const inner = [...path, key.text];
    if (key.colon < 0) {
      this.#add(inner, key, key.text, { start: key.end, end: key.end }, null);
      return key.end;
    }
    const from = key.colon + 1;
    const position = this.#skip(from);
    const first = this.#text[position];
    if (this.#isAt(from, position) && !this.#isWord(first)) {
      this.#setPlace('value', inner, null, false, this.#cursor === from);
    }
    if (position >= this.#limit || first === ',' || first === '}' || first === ']') {
      this.#add(inner, key, key.text, { start: from, end: from }, null);
      return position;
    }
    return this.#value(position, inner, key, key.text, depth);
  }

  #value(
    start: number,
    path: ConfigPath,
    key: FoundScalar | null,
    keyText: string,
    depth: number,
  ): number {
    const position = this.#properties(start);
    const first = this.#text[position];
    if (first === '{' || first === '[') {
      const entry = this.#add(path, key, keyText, { start: position, end: position }, null);
      const end = depth >= MAX_DEPTH ? this.#limit : this.#collection(position, path, depth + 1);
      (entry.value as { end: number }).end = end;
      entry.end = end;
      return end;
    }
    const scalar = scalarAt(this.#text, position, this.#limit, 'flow');
    if (scalar === null) return this.#oddCharacter(position);
    this.#add(
      path,
      key,
      keyText,
      { start: scalar.start, end: scalar.end },
      scalar.quote === null && scalar.text.startsWith('*') ? null : scalar.text,
    );
    if (this.#isAt(scalar.inner.start, scalar.inner.end)) {
      this.#setPlace('value', path, scalar, false);
    }
    // `[a: b]` is a pair; the schema has none, so its value is passed over.
    return scalar.colon >= 0 ? scalar.colon + 1 : scalar.end;
  }

  #add(
    path: ConfigPath,
    key: FoundScalar | null,
    keyText: string,
    value: { start: number; end: number },
    scalar: string | null,
  ): OutlineEntry {
    const entry: OutlineEntry = {
      path,
      key: key === null ? null : { start: key.start, end: key.end },
      keyText,
      value,
      scalar,
      end: value.end,
      isFlow: true,
    };
    this.entries.push(entry);
    return entry;
  }

  /** Something that starts no value; going on behind it always makes progress. */
  #oddCharacter(position: number): number {
    return position + 1;
  }

  #isWord(character: string | undefined): boolean {
    return character !== undefined && !/[\s,{}[\]#]/.test(character);
  }

  #isAt(start: number, end: number): boolean {
    return this.place === null && this.#cursor >= start && this.#cursor <= end;
  }

  #setPlace(
    kind: 'key' | 'value',
    path: ConfigPath,
    word: FoundScalar | null,
    hasColon: boolean,
    needsSpace = false,
  ): void {
    this.place = {
      kind,
      path,
      word: word?.inner ?? { start: this.#cursor, end: this.#cursor },
      quote: word?.quote ?? null,
      isFlow: true,
      hasColon,
      needsSpace,
    };
  }

  /** Past white space, line ends and comments. */
  #skip(from: number): number {
    let position = from;
    while (position < this.#limit) {
      const character = this.#text[position] ?? '';
      if (/\s/.test(character)) position++;
      else if (character === '#' && /\s/.test(this.#text[position - 1] ?? '')) {
        const lineEnd = this.#text.indexOf('\n', position);
        position = lineEnd < 0 ? this.#limit : lineEnd;
      } else break;
    }
    return Math.min(position, this.#limit);
  }

  /** Past anchors and tags. */
  #properties(from: number): number {
    const found = /^(?:[&!][^\s,{}[\]]*\s*)+/.exec(
      this.#text.slice(from, Math.min(this.#limit, from + 200)),
    );
    return from + (found?.[0].length ?? 0);
  }

  /** Where the collection must have ended: before the first later line that is plainly a key of a group around it. */
  #recoverAt(start: number): number {
    const text = this.#text;
    let line = text.indexOf('\n', start) + 1;
    while (line > 0) {
      const next = text.indexOf('\n', line);
      const content = text.slice(line, next < 0 ? text.length : next);
      const column = content.search(/[^ ]/);
      if (
        column >= 0 &&
        column <= this.#indent &&
        /^(?:[^\s#,{}[\]"']+|"[^"]*"|'[^']*'):(\s|$)/.test(content.slice(column))
      ) {
        return line;
      }
      line = next < 0 ? 0 : next + 1;
    }
    return text.length;
  }
}
