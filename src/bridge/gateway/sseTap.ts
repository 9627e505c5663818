import { createParser, type EventSourceParser } from 'eventsource-parser';
import type { MessageReading } from './messageReading.ts';

/** Events whose data is worth parsing; the deltas in between are most of the bytes. */
const READ = new Set(['message_start', 'message_delta', 'message_stop', 'error']);

/** Reads the events of a stream as its bytes pass by, cut anywhere; holds nothing back. */
export class SseTap {
  readonly #decoder = new TextDecoder();
  readonly #parser: EventSourceParser;

  constructor(reading: MessageReading) {
    this.#parser = createParser({
      onEvent: ({ event, data }) => {
        if (event === 'content_block_delta') reading.event({ type: event });
        else if (event === undefined || READ.has(event)) reading.event(parse(data));
      },
    });
  }

  push(chunk: Uint8Array): void {
    this.#parser.feed(this.#decoder.decode(chunk, { stream: true }));
  }

  /** The stream is over; an event without its empty line still counts, since some servers leave it out. */
  end(): void {
    this.#parser.feed(`${this.#decoder.decode()}\n\n`);
  }
}

/** The data of an event; undefined when it is not JSON (`[DONE]`), which is not ours to complain about. */
function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
