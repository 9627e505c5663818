import { createParser, type EventSourceParser } from 'eventsource-parser';
import { asObject, parseJson, type JsonObject } from '../../../endpoints/jsonValue.ts';
import type { EventReader } from './eventReader.ts';
import { serverWords } from './serverWords.ts';
import type { TurnAnswer } from './turnTypes.ts';

/** `error:` in place of `data:` is what older llama.cpp servers write. */
const FIELDS = ['data:', 'event:', 'id:', 'retry:', 'error:', ':'];

/** What came in place of an answer. */
export interface NoAnswer {
  /** In words, for the end of "it answered, but with …". */
  readonly what: string;
  /** Another attempt may get an answer. */
  readonly mayPass: boolean;
}

/**
 * Hands the bytes of an answer, cut anywhere, to a reader: as server-sent events, or as one JSON document from servers that
 * do not stream though they were asked to. What it is shows in the first characters; the content type only decides where
 * they do not.
 */
export class AnswerStream {
  readonly #reader: EventReader;
  readonly #isNamedStream: boolean;
  readonly #decoder = new TextDecoder();
  readonly #parser: EventSourceParser;
  #kind: 'unknown' | 'events' | 'document' = 'unknown';
  /** The document, or what came before its kind was known. */
  #text = '';
  #isDone = false;
  #isEnding = false;
  #broken: JsonObject | null = null;

  constructor(reader: EventReader, contentType: string) {
    this.#reader = reader;
    this.#isNamedStream = /^text\/event-stream\b/i.test(contentType);
    this.#parser = createParser({
      onEvent: ({ event, data }) => this.#event(event ?? null, data),
      onError: ({ field, value }) => {
        if (field === 'error') this.#event('error', value ?? '');
      },
    });
  }

  /** The answer said that it is over. */
  get isOver(): boolean {
    return this.#isDone || this.#reader.isOver;
  }

  /** The error that came in place of the answer, or of the rest of it; also an event of which a part is missing. */
  get failure(): JsonObject | null {
    return this.#reader.failure ?? this.#broken;
  }

  push(bytes: Uint8Array): void {
    this.#feed(this.#decoder.decode(bytes, { stream: true }));
  }

  /** All bytes came: the answer that was in them, or what was there instead. */
  end(): TurnAnswer | NoAnswer {
    return this.#readRest() ?? this.#reader.finish() ?? this.#whatIsEmpty();
  }

  #readRest(): NoAnswer | null {
    this.#feed(this.#decoder.decode());
    if (this.#kind === 'events') {
      // An event without its empty line still counts: some servers leave it out. One that is cut off is the end of a cut stream.
      this.#isEnding = true;
      this.#parser.feed('\n\n');
      return null;
    }
    const document = parseJson(this.#text);
    if (document === undefined) return whatItIs(this.#text);
    if (asObject(document) === null) return { what: 'JSON that is none', mayPass: false };
    this.#reader.take(document, null);
    return null;
  }

  #feed(text: string): void {
    if (this.#kind === 'unknown') {
      this.#text += text;
      this.#kind = this.#decide();
      if (this.#kind === 'events') this.#parser.feed(this.#text);
    } else if (this.#kind === 'events') this.#parser.feed(text);
    else this.#text += text;
  }

  #decide(): 'unknown' | 'events' | 'document' {
    const start = this.#text.trimStart();
    if (start === '') return 'unknown';
    if (/^[{[<]/.test(start)) return 'document';
    if (FIELDS.some((field) => start.startsWith(field))) return 'events';
    if (FIELDS.some((field) => field.startsWith(start))) return 'unknown';
    return this.#isNamedStream ? 'events' : 'document';
  }

  #whatIsEmpty(): NoAnswer {
    if (this.#kind === 'events') return { what: 'an answer that has nothing in it', mayPass: true };
    const said = serverWords(this.#text);
    const what = said === '' ? 'JSON that is none' : `JSON that is none (${JSON.stringify(said)})`;
    return { what, mayPass: false };
  }

  #event(event: string | null, data: string): void {
    if (this.isOver) return;
    if (data.trim() === '[DONE]') {
      this.#isDone = true;
      return;
    }
    const value = parseJson(data);
    if (value !== undefined) this.#reader.take(value, event);
    else if (event === 'error') this.#reader.take(data, event);
    // Other events that are not JSON say nothing; but a broken piece of an answer may be a piece of a file to be written.
    else if (data.trimStart().startsWith('{') && !this.#isEnding)
      this.#broken = { message: `A piece of it is not valid JSON (${data.slice(0, 100)})` };
  }
}

function whatItIs(text: string): NoAnswer {
  const start = text.trimStart();
  if (start === '') return { what: 'nothing at all', mayPass: true };
  if (start.startsWith('<')) {
    const title = serverWords(text);
    const what = title === '' ? 'a web page' : `a web page (${JSON.stringify(title)})`;
    return { what, mayPass: false };
  }
  if (/^[{[]/.test(start)) return { what: 'JSON that breaks off or is not valid', mayPass: true };
  return { what: 'something that is not JSON', mayPass: false };
}
