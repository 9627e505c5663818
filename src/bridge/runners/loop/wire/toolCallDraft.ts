import { createHash } from 'node:crypto';
import { asObject, parseJson, type JsonObject } from '../../../endpoints/jsonValue.ts';
import type { ToolCallBlock } from '../history.ts';
import type { DeltaSink } from './deltaSink.ts';

/** A tool call while it comes. */
export class ToolCallDraft {
  id = '';
  name = '';
  /** Arguments that came at the beginning of the call; they count when none came after. */
  whole: unknown = null;
  readonly #sink: DeltaSink;
  #arguments = '';
  #endsWithBrace = false;

  constructor(sink: DeltaSink) {
    this.#sink = sink;
    sink.push('tool', '');
  }

  get isEmpty(): boolean {
    return this.name === '' && this.#arguments === '';
  }

  /** Whether what came as arguments is a whole object. */
  get isWhole(): boolean {
    // The brace first: parsing at each piece would take a time that grows with the square of their number.
    return this.#endsWithBrace && asObject(parseJson(this.#arguments)) !== null;
  }

  /** A piece of the text of the arguments, or, from some servers, all of them as an object. */
  addArguments(value: unknown): void {
    if (typeof value === 'string') this.#arguments += value;
    else if (asObject(value) !== null) this.#arguments = JSON.stringify(value);
    else return;
    const end = typeof value === 'string' ? value.trimEnd() : '}';
    if (end !== '') this.#endsWithBrace = end.endsWith('}');
    this.#sink.push('tool', typeof value === 'string' ? value : this.#arguments);
  }

  /**
   * @param position among the calls of the answer; with what was called it makes the id of a call that came without one.
   * @param isComplete the call came to its end, so that no arguments mean none and not that they are missing.
   */
  finish(position: number, isComplete: boolean): ToolCallBlock {
    const rawInput = this.#arguments === '' ? wholeText(this.whole) : this.#arguments;
    return {
      type: 'tool_call',
      id: this.id === '' ? madeId(position, this.name, rawInput) : this.id,
      name: this.name,
      input: readInput(rawInput, isComplete),
      rawInput,
    };
  }
}

/** An empty object is what stands there while the arguments are still to come. */
function wholeText(whole: unknown): string {
  if (typeof whole === 'string') return whole;
  const object = asObject(whole);
  return object === null || Object.keys(object).length === 0 ? '' : JSON.stringify(object);
}

/** Arguments as an object; null when they are none. vLLM sends an empty text for a tool without parameters. */
function readInput(text: string, isComplete: boolean): JsonObject | null {
  if (text.trim() === '') return isComplete ? {} : null;
  const value = parseJson(text);
  if (value === null) return {};
  // Some models write the object as a text within a text.
  return asObject(typeof value === 'string' ? parseJson(value) : value);
}

function madeId(position: number, name: string, text: string): string {
  const hash = createHash('sha256').update(JSON.stringify([position, name, text]));
  return `call_${hash.digest('hex').slice(0, 16)}`;
}
