import type { EndpointTarget, WireFormat } from './endpointTarget.ts';

export interface CompletionBodyInput {
  readonly model: string;
  readonly prompt: string;
  readonly system?: string | null;
  readonly maxTokens: number;
  readonly temperature?: number | null;
}

export interface CompletionBody {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** One user message, not streamed, in either format. */
export function completionBody(
  target: EndpointTarget,
  format: WireFormat,
  input: CompletionBodyInput,
): CompletionBody {
  const temperature = input.temperature ?? null;
  const common = { model: input.model, ...(temperature === null ? {} : { temperature }) };
  const user = { role: 'user', content: input.prompt };
  if (format === 'anthropic') {
    return {
      path: '/v1/messages',
      body: {
        ...common,
        max_tokens: input.maxTokens,
        ...(input.system ? { system: input.system } : {}),
        messages: [user],
      },
    };
  }
  // OpenAI's own newer models refuse max_tokens; nobody else knows the new name reliably.
  const limitKey = target.backend === 'openai' ? 'max_completion_tokens' : 'max_tokens';
  return {
    path: '/v1/chat/completions',
    body: {
      ...common,
      [limitKey]: input.maxTokens,
      messages: [...(input.system ? [{ role: 'system', content: input.system }] : []), user],
    },
  };
}
