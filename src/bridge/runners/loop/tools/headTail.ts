import { StringDecoder } from 'node:string_decoder';
import { stripVTControlCharacters } from 'node:util';

/* eslint-disable no-control-regex -- control characters are what it replaces */
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** Keeps the beginning and the end of an output that may be endless; the end, where tests say how they went, is the larger part. */
export class HeadTail {
  readonly #headChars: number;
  readonly #tailChars: number;
  readonly #decoder = new StringDecoder('utf8');
  #head = '';
  #tail = '';
  #chars = 0;

  constructor(maxChars: number) {
    this.#headChars = Math.floor(maxChars / 3);
    this.#tailChars = maxChars - this.#headChars;
  }

  add(chunk: Buffer): void {
    this.#addText(this.#decoder.write(chunk));
  }

  /** What came, without escape sequences of terminals; a cut is marked with the true length. */
  end(): string {
    this.#addText(this.#decoder.end());
    const tail = this.#tail.slice(-this.#tailChars);
    const left = this.#chars - this.#head.length - tail.length;
    if (left === 0) return plain(this.#head + tail);
    const mark = `[… ${left} of ${this.#chars} characters left out …]`;
    return `${plain(whole(this.#head))}\n${mark}\n${plain(whole(tail))}`;
  }

  #addText(text: string): void {
    this.#chars += text.length;
    const room = this.#headChars - this.#head.length;
    if (room > 0) this.#head += text.slice(0, room);
    const rest = room > 0 ? text.slice(room) : text;
    this.#tail += rest;
    if (this.#tail.length > 2 * this.#tailChars + 4096)
      this.#tail = this.#tail.slice(-this.#tailChars);
  }
}

function plain(text: string): string {
  return stripVTControlCharacters(text).replace(CONTROLS, '\ufffd');
}

/** Without the half of a character at a cut. */
function whole(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
}
