import type { TextBlock, ThinkingBlock } from '../history.ts';
import type { DeltaSink } from './deltaSink.ts';
import { ThinkSplitter } from './thinkSplitter.ts';

/** A closing tag on a line of its own whose opening one stood in the prompt, as some chat templates have it. */
const LONE_CLOSING = /(^|\n)[ \t]*<\/think(ing)?>[ \t]*(\n|$)/;

/** A text of an answer while it comes; the first text of an answer may begin with thinking. */
export class TextDraft {
  readonly #sink: DeltaSink;
  readonly #splitter: ThinkSplitter | null;
  #text = '';
  #thinking = '';
  #hasPiece = false;

  constructor(sink: DeltaSink, isFirst: boolean) {
    this.#sink = sink;
    this.#splitter = isFirst ? new ThinkSplitter((kind, text) => this.#add(kind, text)) : null;
  }

  get isEmpty(): boolean {
    return !this.#hasPiece;
  }

  push(piece: string): void {
    if (piece === '') return;
    this.#hasPiece = true;
    if (this.#splitter === null) this.#add('text', piece);
    else this.#splitter.push(piece);
  }

  /** The thinking, when there was any, and the text; blank ones are left out. */
  finish(): readonly (TextBlock | ThinkingBlock)[] {
    this.#splitter?.end();
    let [thinking, text] = [this.#thinking.trim(), this.#text];
    const closing =
      this.#splitter === null || text.includes('<think') ? null : LONE_CLOSING.exec(text);
    if (closing !== null) {
      thinking = `${thinking}\n${text.slice(0, closing.index)}`.trim();
      text = text.slice(closing.index + closing[0].length).trimStart();
    }
    return [
      ...(thinking === ''
        ? []
        : [{ type: 'thinking' as const, text: thinking, signature: null, isRedacted: false }]),
      ...(text.trim() === '' ? [] : [{ type: 'text' as const, text }]),
    ];
  }

  #add(kind: 'text' | 'thinking', text: string): void {
    if (kind === 'text') this.#text += text;
    else this.#thinking += text;
    this.#sink.push(kind, text);
  }
}
