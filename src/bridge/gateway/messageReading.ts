import type { Usage } from '../../protocol/job.ts';
import { isJsonObject, type JsonObject } from './jsonObject.ts';

/** What an answer of the Messages API says about itself, gathered from its events or from its one JSON document. */
export class MessageReading {
  model: string | null = null;
  stopReason: string | null = null;
  /** The `error` object of an error event or document. */
  error: JsonObject | null = null;
  /** The answer came to its end: `message_stop`, or a whole document. */
  isComplete = false;
  #hasOutput = false;
  #usage: Usage = { input: null, output: null, cacheRead: null, cacheWrite: null };

  /** Takes in one event of a stream. */
  event(event: unknown): void {
    if (!isJsonObject(event)) return;
    const type = event['type'];
    if (type === 'message_start') this.#message(event['message']);
    else if (type === 'message_delta') {
      if (isJsonObject(event['delta'])) this.#stop(event['delta']);
      this.#addUsage(event['usage']);
    } else if (type === 'content_block_delta') this.#hasOutput = true;
    else if (type === 'message_stop') this.isComplete = true;
    else this.#failure(event);
  }

  /** Takes in the one document of an answer that is not streamed. */
  document(document: unknown): void {
    if (!isJsonObject(document)) return;
    this.#message(document);
    this.#failure(document);
    this.#hasOutput ||= Array.isArray(document['content']) && document['content'].length > 0;
    this.isComplete = true;
  }

  /**
   * What was used; null where nobody said. Some servers fill the fields with 0 while streaming: a prompt of no tokens does not
   * exist, so that is unknown too.
   */
  get usage(): Usage {
    const { input, output, cacheRead, cacheWrite } = this.#usage;
    const isPromptKnown = (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0) > 0;
    return {
      input: isPromptKnown ? input : null,
      output: output === 0 && (this.#hasOutput || !isPromptKnown) ? null : output,
      cacheRead: isPromptKnown ? cacheRead : null,
      cacheWrite: isPromptKnown ? cacheWrite : null,
    };
  }

  #message(message: unknown): void {
    if (!isJsonObject(message)) return;
    if (typeof message['model'] === 'string' && message['model'] !== '')
      this.model = message['model'];
    this.#stop(message);
    this.#addUsage(message['usage']);
  }

  #stop(holder: JsonObject): void {
    if (typeof holder['stop_reason'] === 'string') this.stopReason = holder['stop_reason'];
  }

  #failure(holder: JsonObject): void {
    if (isJsonObject(holder['error'])) this.error = holder['error'];
    else if (typeof holder['error'] === 'string') this.error = { message: holder['error'] };
  }

  #addUsage(usage: unknown): void {
    if (!isJsonObject(usage)) return;
    // Counts of a stream are cumulative: a smaller one later (some servers send 0 in message_delta) says nothing.
    this.#usage = {
      input: larger(this.#usage.input, usage['input_tokens']),
      output: larger(this.#usage.output, usage['output_tokens']),
      cacheRead: larger(this.#usage.cacheRead, usage['cache_read_input_tokens']),
      cacheWrite: larger(this.#usage.cacheWrite, usage['cache_creation_input_tokens']),
    };
  }
}

function larger(known: number | null, value: unknown): number | null {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) return known;
  return known === null ? value : Math.max(known, value);
}
