import type { Backend } from '../../config/endpointSchema.ts';
import type { WireFormat } from './endpointTarget.ts';
import type { ProbeContext } from './probeContext.ts';
import { asObject, asString } from './jsonValue.ts';

export interface FormatFindings {
  readonly formats: readonly WireFormat[];
  readonly needsKey: boolean;
}

/**
 * Which request formats a server speaks. Vendors and gateways are known; others get an empty `POST
 * /v1/messages`, which no server can answer with a completion: an unknown path means that it speaks
 * OpenAI's format only, any complaint about the body that it speaks both.
 */
export async function detectFormats(
  backend: Backend,
  context: ProbeContext,
): Promise<FormatFindings> {
  switch (backend) {
    case 'anthropic':
      return { formats: ['anthropic'], needsKey: false };
    case 'openai':
      return { formats: ['openai'], needsKey: false };
    case 'litellm':
    case 'bifrost':
      return { formats: ['anthropic', 'openai'], needsKey: false };
    case 'llama.cpp':
    case 'vllm':
    case 'ollama':
    case 'lmstudio':
    case 'other':
      return askMessages(backend, context);
  }
}

async function askMessages(backend: Backend, context: ProbeContext): Promise<FormatFindings> {
  const reply = await context.ask({
    path: '/v1/messages',
    method: 'POST',
    body: {},
    maxBytes: 65_536,
  });
  if (reply === null) {
    return {
      // No answer in time is no answer: unknown, but for the server that has had it for long.
      formats: backend === 'llama.cpp' ? ['anthropic', 'openai'] : [],
      needsKey: false,
    };
  }
  if (reply.status === 401) return { formats: [], needsKey: true };
  // LM Studio answers unknown paths with 200 and an error.
  const isUnknownPath =
    [403, 404, 405, 501].includes(reply.status) ||
    reply.status < 400 ||
    (asString(asObject(reply.json)?.['error']) ?? '').startsWith('Unexpected endpoint');
  return { formats: isUnknownPath ? ['openai'] : ['anthropic', 'openai'], needsKey: false };
}
