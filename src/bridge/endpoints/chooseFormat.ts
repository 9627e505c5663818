import type { EndpointTarget, WireFormat } from './endpointTarget.ts';
import type { EndpointProbe } from './endpointProbe.ts';

export interface FormatInput {
  readonly configured: EndpointTarget['format'];
  readonly probe: Pick<EndpointProbe, 'backend' | 'formats'>;
  readonly model: string;
  /** `models.<glob>.format` of the configuration for this model; null when it says nothing. */
  readonly modelFormat: WireFormat | null;
}

// On a gateway these names lead to vendors whose own format is OpenAI's. `glm-` is deliberately not
// among them: through chat completions a gateway may drop its thinking.
const OPENAI_PREFIXES = [
  'deepseek-',
  'openai-',
  'gpt-',
  'qwen-',
  'minimax-',
  'moonshot-',
  'kimi-',
  'grok-',
];

/**
 * In which format to ask for a model: what the endpoint is configured for; else on a gateway what
 * the configuration says of the model, then the prefix of its name; elsewhere Anthropic's where the
 * server speaks it, because then nothing needs translation.
 */
export function chooseFormat(input: FormatInput): WireFormat {
  if (input.configured !== 'auto') return input.configured;
  if (input.modelFormat !== null) return input.modelFormat;
  const { backend, formats } = input.probe;
  const isGateway = backend === 'litellm' || backend === 'bifrost';
  if (isGateway) {
    const name = input.model.toLowerCase();
    return OPENAI_PREFIXES.some((prefix) => name.startsWith(prefix)) ? 'openai' : 'anthropic';
  }
  return formats.includes('anthropic') ? 'anthropic' : 'openai';
}
