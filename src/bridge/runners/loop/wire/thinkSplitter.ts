type Emit = (kind: 'thinking' | 'text', text: string) => void;

const OPEN = /^\s*<think(ing)?>/;
const OPENINGS = ['<think>', '<thinking>'];

/**
 * Takes the thinking out of the head of a text, as servers without a reasoning parser leave it there, while the text comes
 * in pieces cut anywhere.
 */
export class ThinkSplitter {
  readonly #emit: Emit;
  #state: 'head' | 'thinking' | 'gap' | 'text' = 'head';
  #held = '';
  #closing = '';

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  push(piece: string): void {
    this.#held += piece;
    if (this.#state === 'head') this.#readHead();
    if (this.#state === 'thinking') this.#readThinking();
    if (this.#state === 'gap') {
      this.#held = this.#held.trimStart();
      if (this.#held !== '') this.#state = 'text';
    }
    if (this.#state === 'text') this.#release('text', this.#held.length);
  }

  /** The text is over: what was held back as the possible beginning of a tag is none. */
  end(): void {
    if (this.#state !== 'gap')
      this.#release(this.#state === 'thinking' ? 'thinking' : 'text', this.#held.length);
  }

  #readHead(): void {
    const open = OPEN.exec(this.#held);
    if (open !== null) {
      this.#closing = `</think${open[1] ?? ''}>`;
      this.#held = this.#held.slice(open[0].length);
      this.#state = 'thinking';
      return;
    }
    const start = this.#held.trimStart();
    if (!OPENINGS.some((tag) => tag.startsWith(start))) this.#state = 'text';
  }

  #readThinking(): void {
    const end = this.#held.indexOf(this.#closing);
    if (end < 0) {
      this.#release('thinking', this.#held.length - tagStartLength(this.#held, this.#closing));
      return;
    }
    this.#release('thinking', end);
    this.#held = this.#held.slice(this.#closing.length);
    this.#state = 'gap';
  }

  #release(kind: 'thinking' | 'text', length: number): void {
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    if (text !== '') this.#emit(kind, text);
  }
}

/** How many characters at the end of the text may be the beginning of the tag. */
function tagStartLength(text: string, tag: string): number {
  let length = Math.min(text.length, tag.length - 1);
  while (length > 0 && !tag.startsWith(text.slice(-length))) length -= 1;
  return length;
}
