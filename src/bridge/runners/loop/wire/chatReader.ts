import type { Usage } from '../../../../protocol/job.ts';
import {
  asArray,
  asCount,
  asObject,
  asString,
  type JsonObject,
} from '../../../endpoints/jsonValue.ts';
import type { AssistantBlock } from '../history.ts';
import { ChatCalls } from './chatCalls.ts';
import type { DeltaSink } from './deltaSink.ts';
import type { EventReader } from './eventReader.ts';
import { stopReason } from './stopReason.ts';
import { TextDraft } from './textDraft.ts';
import type { TurnAnswer } from './turnTypes.ts';

/** Ends that are failures of the server: GLM's, DeepSeek's, SGLang's, OpenRouter's. */
const FAILED_ENDS = new Set(['network_error', 'insufficient_system_resource', 'abort', 'error']);

/** Reads an answer of the Chat Completions API. */
export class ChatReader implements EventReader {
  isOver = false;
  failure: JsonObject | null = null;
  usage: Usage = { input: null, output: null, cacheRead: null, cacheWrite: null };
  modelServed: string | null = null;
  readonly #sink: DeltaSink;
  readonly #text: TextDraft;
  readonly #calls: ChatCalls;
  #thinking = '';
  #end: string | null = null;
  #hasRefused = false;

  constructor(sink: DeltaSink) {
    this.#sink = sink;
    this.#text = new TextDraft(sink, true);
    this.#calls = new ChatCalls(sink);
  }

  take(data: unknown, event: string | null): void {
    const object = asObject(data);
    if (object === null) {
      if (event === 'error') this.failure = { message: String(data) };
      return;
    }
    const error = object['error'] ?? asObject(asArray(object['choices'])[0])?.['error'];
    if (error !== undefined && error !== null && error !== '') {
      this.failure = asObject(error) ?? { message: error };
    } else if (event === 'error') this.failure = object;
    this.modelServed ??= asString(object['model']);
    this.usage = readUsage(asObject(object['usage'])) ?? this.usage;
    const choice = asObject(asArray(object['choices'])[0]);
    if (choice !== null) this.#choice(choice);
  }

  finish(): TurnAnswer | null {
    const calls = this.#calls.finish(this.#end);
    const texts = this.#text.finish();
    const tagged = texts.filter(({ type }) => type === 'thinking');
    const thinking = [this.#thinking, ...tagged.map(({ text }) => text)].join('\n').trim();
    const blocks: AssistantBlock[] = [
      ...(thinking === ''
        ? []
        : [{ type: 'thinking' as const, text: thinking, signature: null, isRedacted: false }]),
      ...texts.filter(({ type }) => type === 'text'),
      ...calls,
    ];
    if (blocks.length === 0 && this.#end === null) return null;
    const reason = stopReason(this.#end, calls.length > 0);
    return {
      blocks,
      stopReason: this.#hasRefused && reason === 'end_turn' ? 'content_filter' : reason,
      rawStopReason: this.#end,
      usage: this.usage,
      modelServed: this.modelServed,
    };
  }

  #choice(choice: JsonObject): void {
    const end = asString(choice['finish_reason']);
    if (end !== null) {
      this.#end = end;
      if (FAILED_ENDS.has(end)) {
        this.failure ??= { message: `The answer broke off with finish_reason ${end}.` };
      }
    }
    // A document has the whole message where a stream has its pieces.
    const delta = asObject(choice['delta']) ?? asObject(choice['message']);
    if (delta === null) return;
    // Servers on the way from one name to the other send the same text under both.
    this.#think(textOf(delta['reasoning_content']) || textOf(delta['reasoning']));
    this.#content(delta['content']);
    const refusal = textOf(delta['refusal']);
    if (refusal !== '') {
      this.#hasRefused = true;
      this.#text.push(refusal);
    }
    this.#calls.take(delta);
  }

  #think(text: string): void {
    this.#thinking += text;
    this.#sink.push('thinking', text);
  }

  #content(content: unknown): void {
    if (typeof content === 'string') {
      this.#text.push(content);
      return;
    }
    for (const value of asArray(content)) {
      const part = asObject(value);
      const inner = part?.['thinking'];
      if (part === null) this.#text.push(textOf(value));
      else if (part['type'] === 'thinking') {
        // Mistral nests parts within a part.
        this.#think(
          textOf(inner) ||
            asArray(inner)
              .map((piece) => textOf(asObject(piece)?.['text']))
              .join(''),
        );
      } else if (part['type'] === 'reasoning') this.#think(textOf(part['text']));
      else this.#text.push(textOf(part['text']));
    }
  }
}

/**
 * Counts that the server gave; null when it gave none. A prompt of no tokens does not exist: some servers fill the fields of
 * a stream with 0.
 */
function readUsage(usage: JsonObject | null): Usage | null {
  const prompt = asCount(usage?.['prompt_tokens']);
  const output = asCount(usage?.['completion_tokens']);
  if (usage === null || ((prompt ?? 0) === 0 && (output ?? 0) === 0)) return null;
  const cached =
    asCount(asObject(usage['prompt_tokens_details'])?.['cached_tokens']) ??
    asCount(usage['prompt_cache_hit_tokens']) ??
    asCount(usage['cached_tokens']);
  const written =
    asCount(usage['cache_creation_input_tokens']) ??
    asCount(asObject(usage['prompt_tokens_details'])?.['cache_write_tokens']);
  return {
    // There cached tokens, read or written, are part of the prompt; a receipt counts them apart.
    input:
      prompt === null || prompt === 0 ? null : Math.max(0, prompt - (cached ?? 0) - (written ?? 0)),
    output,
    cacheRead: cached,
    cacheWrite: written,
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
