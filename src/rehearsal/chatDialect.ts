import { splitTokens } from './countTokens.ts';
import {
  type Dialect,
  type FinishedAnswer,
  openAiError,
  sse,
  type StreamPiece,
} from './dialect.ts';
import { asObject, type JsonObject } from './json.ts';
import { readChatRequest } from './readChatRequest.ts';

/** OpenAI's Chat Completions API, with `reasoning_content` as llama.cpp and vLLM have it. */
export const chatDialect: Dialect = {
  requiredField: 'messages',
  read: readChatRequest,
  write: (answer) => ({
    ...envelope(answer, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: answer.text,
          ...(answer.thinking === null ? {} : { reasoning_content: answer.thinking }),
          ...(answer.call === null ? {} : { tool_calls: [callOf(answer)] }),
        },
        finish_reason: finishReason(answer),
      },
    ],
    usage: usageOf(answer),
  }),
  stream,
  error: openAiError,
};

function envelope(answer: FinishedAnswer, object: string): JsonObject {
  return { id: `chatcmpl-${answer.id}`, object, created: answer.createdS, model: answer.model };
}

function callOf(answer: FinishedAnswer): JsonObject {
  return {
    id: `call_${answer.id}`,
    type: 'function',
    function: { name: answer.call?.name ?? '', arguments: answer.rawInput },
  };
}

function finishReason(answer: FinishedAnswer): string {
  return answer.call === null ? 'stop' : 'tool_calls';
}

function usageOf({ usage }: FinishedAnswer): JsonObject {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: { cached_tokens: 0 },
  };
}

function stream(answer: FinishedAnswer, request: JsonObject): StreamPiece[] {
  const head = envelope(answer, 'chat.completion.chunk');
  const chunk = (delta: JsonObject, tokens = 0, finish: string | null = null): StreamPiece =>
    sse({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] }, tokens);
  const pieces = [chunk({ role: 'assistant', content: null })];
  for (const part of splitTokens(answer.thinking ?? '')) {
    pieces.push(chunk({ reasoning_content: part }, 1));
  }
  for (const part of splitTokens(answer.text ?? '')) pieces.push(chunk({ content: part }, 1));
  if (answer.call !== null) {
    const start = { ...callOf(answer), function: { name: answer.call.name, arguments: '' } };
    pieces.push(chunk({ tool_calls: [{ index: 0, ...start }] }));
    for (const part of splitTokens(answer.rawInput)) {
      pieces.push(chunk({ tool_calls: [{ index: 0, function: { arguments: part } }] }, 1));
    }
  }
  pieces.push(chunk({}, 0, finishReason(answer)));
  if (asObject(request['stream_options'])['include_usage'] === true) {
    pieces.push(sse({ ...head, choices: [], usage: usageOf(answer) }));
  }
  pieces.push({ text: 'data: [DONE]\n\n', tokens: 0 });
  return pieces;
}
