import type { Backend } from '../../config/endpointSchema.ts';
import { asPositive } from './jsonValue.ts';
import type { ModelEntry } from './probeContext.ts';
import type { Reply } from './exchange.ts';

/**
 * What a server is by the marks it leaves on its list of models; the configured backend where there
 * are none.
 */
export function detectBackend(
  configured: Backend,
  reply: Reply,
  entries: readonly ModelEntry[],
): Backend {
  // A gateway passes on the marks of what is behind it, so its own come first.
  if (Object.keys(reply.headers).some((name) => name.startsWith('x-litellm'))) return 'litellm';
  if (configured === 'litellm' || configured === 'bifrost') return configured;
  const owners = new Set(entries.map((entry) => entry.raw['owned_by']));
  if (entries.some((entry) => asPositive(entry.raw['max_model_len']) !== null)) return 'vllm';
  if (owners.has('vllm')) return 'vllm';
  if (owners.has('llamacpp') || reply.headers['server'] === 'llama.cpp') return 'llama.cpp';
  if (configured !== 'other') return configured;
  if (owners.has('library')) return 'ollama';
  if (entries.some((entry) => entry.raw['type'] === 'model' && 'display_name' in entry.raw))
    return 'anthropic';
  return 'other';
}
