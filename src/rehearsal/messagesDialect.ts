import { splitTokens } from './countTokens.ts';
import { type Dialect, errorType, type FinishedAnswer, sse, type StreamPiece } from './dialect.ts';
import type { JsonObject } from './json.ts';
import { readMessagesRequest } from './readMessagesRequest.ts';

/** Anthropic's Messages API. */
export const messagesDialect: Dialect = {
  requiredField: 'messages',
  read: readMessagesRequest,
  write: (answer) => ({
    ...envelope(answer),
    content: [
      ...(answer.thinking === null
        ? []
        : [{ type: 'thinking', thinking: answer.thinking, signature: '' }]),
      ...(answer.text === null ? [] : [{ type: 'text', text: answer.text }]),
      ...(answer.call === null ? [] : [{ ...callBlock(answer), input: inputOf(answer) }]),
    ],
    stop_reason: stopReason(answer),
    usage: usageOf(answer),
  }),
  stream,
  error: (status, message) => ({ type: 'error', error: { type: errorType(status), message } }),
};

function envelope(answer: FinishedAnswer): JsonObject {
  return {
    id: `msg_${answer.id}`,
    type: 'message',
    role: 'assistant',
    model: answer.model,
    stop_sequence: null,
  };
}

function usageOf(answer: FinishedAnswer): JsonObject {
  return {
    input_tokens: answer.usage.inputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: answer.usage.outputTokens,
  };
}

/** A broken input cannot be an object: it goes as the text that a server failed to parse. */
function inputOf({ call, rawInput }: FinishedAnswer): unknown {
  const isIntact = rawInput === JSON.stringify(call?.input);
  return isIntact ? call?.input : rawInput;
}

function stopReason(answer: FinishedAnswer): string {
  return answer.call === null ? 'end_turn' : 'tool_use';
}

function callBlock(answer: FinishedAnswer): JsonObject {
  return { type: 'tool_use', id: `toolu_${answer.id}`, name: answer.call?.name ?? '', input: {} };
}

function stream(answer: FinishedAnswer): StreamPiece[] {
  const event = (data: JsonObject & { type: string }, tokens = 0): StreamPiece =>
    sse(data, tokens, data.type);
  const message = {
    ...envelope(answer),
    content: [],
    stop_reason: null,
    usage: { ...usageOf(answer), output_tokens: 0 },
  };
  const pieces = [event({ type: 'message_start', message })];
  let index = 0;
  const block = (start: JsonObject, deltas: readonly JsonObject[]): void => {
    pieces.push(event({ type: 'content_block_start', index, content_block: start }));
    for (const delta of deltas)
      pieces.push(event({ type: 'content_block_delta', index, delta }, 1));
    pieces.push(event({ type: 'content_block_stop', index }));
    index++;
  };
  if (answer.thinking !== null) {
    block(
      { type: 'thinking', thinking: '', signature: '' },
      splitTokens(answer.thinking).map((thinking) => ({ type: 'thinking_delta', thinking })),
    );
  }
  if (answer.text !== null) {
    block(
      { type: 'text', text: '' },
      splitTokens(answer.text).map((text) => ({ type: 'text_delta', text })),
    );
  }
  if (answer.call !== null) {
    block(
      callBlock(answer),
      splitTokens(answer.rawInput).map((part) => ({
        type: 'input_json_delta',
        partial_json: part,
      })),
    );
  }
  pieces.push(
    event({
      type: 'message_delta',
      delta: { stop_reason: stopReason(answer), stop_sequence: null },
      usage: usageOf(answer),
    }),
    event({ type: 'message_stop' }),
  );
  return pieces;
}
