import type { Usage } from '../../protocol/job.ts';
import type { WireFormat } from './endpointTarget.ts';
import { asArray, asCount, asObject, asString, type JsonObject } from './jsonValue.ts';

export interface CompletionAnswer {
  /** The visible text; thinking is left out. */
  readonly text: string;
  /** The model that the answer names; null when it names none. */
  readonly modelServed: string | null;
  /** Counts that the server did not report are null. */
  readonly usage: Usage;
  /** In the server's own words: `end_turn`, `max_tokens`, `stop`, `length` … */
  readonly stopReason: string | null;
}

/** Reads a finished, not streamed answer; null when the document is not one. */
export function readCompletion(format: WireFormat, json: unknown): CompletionAnswer | null {
  const document = asObject(json);
  if (document === null) return null;
  return format === 'anthropic' ? readMessage(document) : readChat(document);
}

function readMessage(document: JsonObject): CompletionAnswer | null {
  if (!Array.isArray(document['content'])) return null;
  const blocks = asArray(document['content']).map((block) => asObject(block) ?? {});
  const usage = asObject(document['usage']);
  return {
    text: withoutThinking(
      blocks.map((block) => (block['type'] === 'text' ? textOf(block['text']) : '')).join(''),
    ),
    modelServed: asString(document['model']),
    usage: {
      input: asCount(usage?.['input_tokens']),
      output: asCount(usage?.['output_tokens']),
      cacheRead: asCount(usage?.['cache_read_input_tokens']),
      cacheWrite: asCount(usage?.['cache_creation_input_tokens']),
    },
    stopReason: asString(document['stop_reason']),
  };
}

function readChat(document: JsonObject): CompletionAnswer | null {
  const choice = asObject(asArray(document['choices'])[0]);
  const message = asObject(choice?.['message']);
  if (choice === null || message === null) return null;
  const usage = asObject(document['usage']);
  const prompt = asCount(usage?.['prompt_tokens']);
  const cached = asCount(asObject(usage?.['prompt_tokens_details'])?.['cached_tokens']);
  const { content } = message;
  // Some servers answer with parts, as in a request.
  const text = Array.isArray(content)
    ? asArray(content)
        .map((part) => textOf(asObject(part)?.['text']))
        .join('')
    : textOf(content);
  return {
    text: withoutThinking(text),
    modelServed: asString(document['model']),
    usage: {
      // OpenAI counts cached tokens as prompt tokens; a receipt counts them apart.
      input: prompt === null ? null : Math.max(0, prompt - (cached ?? 0)),
      output: asCount(usage?.['completion_tokens']),
      cacheRead: cached,
      cacheWrite: null,
    },
    stopReason: asString(choice['finish_reason']),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/**
 * Servers without a reasoning parser leave the thinking at the head of the text; a cut-off answer
 * may be nothing else.
 */
function withoutThinking(text: string): string {
  const open = /^\s*<think(ing)?>/.exec(text);
  if (open === null) return text;
  const end = text.indexOf(`</think${open[1] ?? ''}>`);
  return end < 0 ? '' : text.slice(text.indexOf('>', end) + 1).trimStart();
}
