import { splitTokens } from './countTokens.ts';
import {
  type Dialect,
  type FinishedAnswer,
  openAiError,
  sse,
  type StreamPiece,
} from './dialect.ts';
import type { JsonObject } from './json.ts';
import { readResponsesRequest } from './readResponsesRequest.ts';

/** OpenAI's Responses API, the only one that Codex speaks. */
export const responsesDialect: Dialect = {
  requiredField: 'input',
  read: readResponsesRequest,
  write: (answer) => response(answer, 'completed'),
  stream,
  error: openAiError,
};

function response(answer: FinishedAnswer, status: 'in_progress' | 'completed'): JsonObject {
  const isDone = status === 'completed';
  return {
    id: `resp_${answer.id}`,
    object: 'response',
    created_at: answer.createdS,
    model: answer.model,
    status,
    output: isDone ? itemsOf(answer) : [],
    usage: isDone ? usageOf(answer) : null,
  };
}

function usageOf({ usage }: FinishedAnswer): JsonObject {
  return {
    input_tokens: usage.inputTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: usage.inputTokens + usage.outputTokens,
  };
}

function itemsOf(answer: FinishedAnswer): JsonObject[] {
  const items: JsonObject[] = [];
  if (answer.thinking !== null) {
    const summary = [{ type: 'summary_text', text: answer.thinking }];
    items.push({ type: 'reasoning', id: `rs_${answer.id}`, summary });
  }
  if (answer.text !== null) {
    items.push({
      type: 'message',
      id: `msg_${answer.id}`,
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: answer.text, annotations: [] }],
    });
  }
  if (answer.call !== null) {
    const isCustom = answer.call.form === 'custom';
    items.push({
      type: isCustom ? 'custom_tool_call' : 'function_call',
      id: `${isCustom ? 'ctc' : 'fc'}_${answer.id}`,
      call_id: `call_${answer.id}`,
      name: answer.call.name,
      status: 'completed',
      [isCustom ? 'input' : 'arguments']: answer.rawInput,
    });
  }
  return items;
}

function stream(answer: FinishedAnswer): StreamPiece[] {
  let sequence = 0;
  const event = (data: JsonObject & { type: string }, tokens = 0): StreamPiece =>
    sse({ ...data, sequence_number: sequence++ }, tokens, data.type);
  const pieces = [event({ type: 'response.created', response: response(answer, 'in_progress') })];
  itemsOf(answer).forEach((item, index) => {
    const place = { item_id: item['id'], output_index: index };
    const started = { ...item, status: 'in_progress' };
    const push = (type: string, field: string, text: string, extra: JsonObject = {}): void => {
      for (const delta of splitTokens(text)) {
        pieces.push(event({ type: `${type}.delta`, ...place, ...extra, delta }, 1));
      }
      pieces.push(event({ type: `${type}.done`, ...place, ...extra, [field]: text }));
    };
    const added = (emptied: JsonObject): void => {
      pieces.push(
        event({
          type: 'response.output_item.added',
          output_index: index,
          item: { ...started, ...emptied },
        }),
      );
    };
    switch (item['type']) {
      case 'message':
        added({ content: [] });
        push('response.output_text', 'text', answer.text ?? '', { content_index: 0 });
        break;
      case 'function_call':
        added({ arguments: '' });
        push('response.function_call_arguments', 'arguments', answer.rawInput);
        break;
      case 'custom_tool_call':
        added({ input: '' });
        push('response.custom_tool_call_input', 'input', answer.rawInput);
        break;
      default:
        added({ summary: [] });
        push('response.reasoning_summary_text', 'text', answer.thinking ?? '', {
          summary_index: 0,
        });
    }
    pieces.push(event({ type: 'response.output_item.done', output_index: index, item }));
  });
  pieces.push(event({ type: 'response.completed', response: response(answer, 'completed') }));
  return pieces;
}
