import type { EndpointTarget } from '../../../endpoints/endpointTarget.ts';
import type { AssistantBlock, AssistantMessage, Message, ToolResult } from '../history.ts';
import type { TurnRequest } from './turnTypes.ts';

type JsonBlock = Readonly<Record<string, unknown>>;

const CACHE_MARK = { cache_control: { type: 'ephemeral' } } as const;
/** An answer of which nothing can go back, such as thinking alone, still has its turn. */
const NO_TEXT = '(no text)';

/**
 * A request of the Messages API for a checked history. Marks for prompt caching stand on the system text, the last tool and
 * the last block of the last message: three of the four that are allowed, and none stays in the history.
 */
export function messagesBody(
  target: Pick<EndpointTarget, 'name'>,
  request: TurnRequest,
): Readonly<Record<string, unknown>> {
  const { system, hasCacheMarks } = request;
  const tools = request.tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    input_schema: inputSchema,
  }));
  const messages = wireMessages(target, request);
  return {
    model: request.model,
    max_tokens: request.maxTokens,
    stream: request.isStreaming,
    ...(request.effort === null ? {} : { output_config: { effort: request.effort } }),
    ...(system === ''
      ? {}
      : { system: hasCacheMarks ? [{ type: 'text', text: system, ...CACHE_MARK }] : system }),
    ...(tools.length === 0 ? {} : { tools: hasCacheMarks ? markLast(tools) : tools }),
    messages,
  };
}

interface WireMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string | readonly JsonBlock[];
}

function wireMessages(target: Pick<EndpointTarget, 'name'>, request: TurnRequest): WireMessage[] {
  const { hasCacheMarks } = request;
  const wire: WireMessage[] = [];
  for (const message of request.messages) {
    if (message.role === 'assistant') {
      wire.push({ role: 'assistant', content: assistantBlocks(message, target, request) });
      continue;
    }
    const last = wire.at(-1);
    // A text after results belongs to the same turn of the user.
    if (last?.role === 'user') {
      wire[wire.length - 1] = {
        role: 'user',
        content: [...blocksOf(last), ...userBlocks(message)],
      };
    } else if (message.role === 'user' && !hasCacheMarks) {
      wire.push({ role: 'user', content: message.text });
    } else {
      wire.push({ role: 'user', content: userBlocks(message) });
    }
  }
  const last = wire.at(-1);
  if (hasCacheMarks && last !== undefined)
    wire[wire.length - 1] = { ...last, content: markLast(blocksOf(last)) };
  return wire;
}

function userBlocks(message: Exclude<Message, AssistantMessage>): readonly JsonBlock[] {
  return message.role === 'user' ? [textBlock(message.text)] : message.results.map(resultBlock);
}

function blocksOf(message: WireMessage): readonly JsonBlock[] {
  return typeof message.content === 'string' ? [textBlock(message.content)] : message.content;
}

function resultBlock(result: ToolResult): JsonBlock {
  return {
    type: 'tool_result',
    tool_use_id: result.callId,
    content: result.text,
    ...(result.isError ? { is_error: true } : {}),
  };
}

function assistantBlocks(
  message: AssistantMessage,
  target: Pick<EndpointTarget, 'name'>,
  request: TurnRequest,
): readonly JsonBlock[] {
  const isOwn = message.endpoint === target.name && message.model === request.model;
  const blocks = message.blocks.flatMap((block) => assistantBlock(block, isOwn, request));
  // What counts as an answer is a text or a call; thinking alone is refused.
  const isAnswer = blocks.some(({ type }) => type === 'text' || type === 'tool_use');
  return isAnswer ? blocks : [...blocks, textBlock(NO_TEXT)];
}

function assistantBlock(
  block: AssistantBlock,
  isOwn: boolean,
  { resendsReasoning }: TurnRequest,
): JsonBlock[] {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? [] : [textBlock(block.text)];
    case 'tool_call':
      return [{ type: 'tool_use', id: block.id, name: block.name, input: block.input ?? {} }];
    case 'thinking':
      if (!isOwn) return [];
      if (block.isRedacted)
        return block.signature === null
          ? []
          : [{ type: 'redacted_thinking', data: block.signature }];
      // Anthropic refuses thinking that it did not sign; servers that sign nothing take it back when they are set to.
      if (block.signature === null && !resendsReasoning) return [];
      return [{ type: 'thinking', thinking: block.text, signature: block.signature ?? '' }];
  }
}

function textBlock(text: string): JsonBlock {
  return { type: 'text', text };
}

/** A copy whose last element has the mark; the elements themselves are left alone. */
function markLast(blocks: readonly JsonBlock[]): readonly JsonBlock[] {
  return blocks.map((block, at) =>
    at === blocks.length - 1 ? { ...block, ...CACHE_MARK } : block,
  );
}
