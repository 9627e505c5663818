import type { EndpointTarget } from '../../../endpoints/endpointTarget.ts';
import type { AssistantMessage, ToolCallBlock } from '../history.ts';
import type { TurnRequest } from './turnTypes.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** An answer of which nothing can go back, such as thinking alone, still has its turn. */
const NO_TEXT = '(no text)';
/**
 * Sent where there is no reasoning to send: DeepSeek refuses histories in which it is missing from an answer, and some of its
 * models also an empty one (NousResearch/hermes-agent#17341).
 */
const NO_REASONING = ' ';

/** A request of the Chat Completions API for a checked history. */
export function chatBody(
  target: Pick<EndpointTarget, 'name' | 'baseUrl'>,
  request: TurnRequest,
): JsonObject {
  return {
    model: request.model,
    [limitKey(target.baseUrl)]: request.maxTokens,
    stream: request.isStreaming,
    ...(request.isStreaming ? { stream_options: { include_usage: true } } : {}),
    ...(request.effort === null ? {} : { reasoning_effort: request.effort }),
    ...(request.tools.length === 0 ? {} : { tools: request.tools.map(toolOffer) }),
    messages: [
      ...(request.system === '' ? [] : [{ role: 'system', content: request.system }]),
      ...request.messages.flatMap((message): JsonObject[] => {
        if (message.role === 'user') return [{ role: 'user', content: message.text }];
        if (message.role === 'assistant') return [assistantMessage(message, target, request)];
        return message.results.map(({ callId, text }) => ({
          role: 'tool',
          tool_call_id: callId,
          content: text,
        }));
      }),
    ],
  };
}

/** OpenAI's own newer models refuse `max_tokens`; other servers pass over the new name, and over the limit with it. */
function limitKey(baseUrl: string): string {
  return new URL(baseUrl).hostname === 'api.openai.com' ? 'max_completion_tokens' : 'max_tokens';
}

function toolOffer({ name, description, inputSchema }: TurnRequest['tools'][number]): JsonObject {
  return { type: 'function', function: { name, description, parameters: inputSchema } };
}

function assistantMessage(
  message: AssistantMessage,
  target: Pick<EndpointTarget, 'name'>,
  request: TurnRequest,
): JsonObject {
  const text = message.blocks
    .flatMap((block) => (block.type === 'text' && block.text.trim() !== '' ? [block.text] : []))
    .join('\n');
  const calls = message.blocks.filter((block) => block.type === 'tool_call');
  const reasoning = request.resendsReasoning
    ? (message.endpoint === target.name ? reasoningOf(message) : '') || NO_REASONING
    : null;
  return {
    role: 'assistant',
    content: contentOf(text, calls.length > 0, reasoning !== null),
    ...(reasoning === null ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(toolCall) }),
  };
}

function contentOf(text: string, hasCalls: boolean, hasReasoning: boolean): string | null {
  if (text !== '') return text;
  if (!hasCalls) return NO_TEXT;
  // DeepSeek refuses null beside reasoning (can1357/oh-my-pi#788).
  return hasReasoning ? '' : null;
}

function reasoningOf(message: AssistantMessage): string {
  return message.blocks
    .flatMap((block) => (block.type === 'thinking' && !block.isRedacted ? [block.text] : []))
    .join('\n');
}

/** Arguments are always valid JSON: llama.cpp answers broken ones with an error on every later request (ggml-org/llama.cpp#25510). */
function toolCall({ id, name, input }: ToolCallBlock): JsonObject {
  return {
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input ?? {}) },
  };
}
