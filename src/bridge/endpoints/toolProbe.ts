import { BridgeError } from '../../base/bridgeError.ts';
import { completeText } from './complete.ts';
import type { EndpointTarget, WireFormat } from './endpointTarget.ts';
import { asObject, parseJson } from './jsonValue.ts';

export interface ToolProbeOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** The name under which the model answered. */
  readonly onModelName?: (name: string) => void;
}

/** `error`: it could not be found out; nothing should be stored about the model. */
export type ToolProbeResult = 'yes' | 'no' | { readonly error: BridgeError };

// Enough for a thinking model to come to the point.
const MAX_TOKENS = 2048;

const TOOL = {
  name: 'report_number',
  description: 'Reports a number to the user.',
  parameters: {
    type: 'object',
    properties: { value: { type: 'integer', description: 'The number to report.' } },
    required: ['value'],
  },
};

/**
 * Whether a model calls a tool when it is asked to. One small request with one tool; the call is
 * not forced, because a forced one is made by the server's grammar whatever model and template can
 * do. `no` also when the server refuses tools.
 */
export async function probeToolCalls(
  target: EndpointTarget,
  model: string,
  format: WireFormat,
  options: ToolProbeOptions,
): Promise<ToolProbeResult> {
  const { onModelName, ...limits } = options;
  try {
    const answer = await completeText(target, {
      ...limits,
      format,
      model,
      prompt: 'Call the tool report_number with the value 7. Do not answer with text.',
      maxTokens: MAX_TOKENS,
      temperature: 0,
      tool: TOOL,
    });
    if (answer.modelServed !== null) onModelName?.(answer.modelServed);
    if (answer.toolCalls.some((call) => call.name === TOOL.name && hasArguments(call.arguments)))
      return 'yes';
    const isCut = answer.stopReason === 'max_tokens' || answer.stopReason === 'length';
    if (!isCut) return 'no';
    return {
      error: new BridgeError(
        'incomplete',
        `${model} reached ${MAX_TOKENS} tokens before it called the tool or ended.`,
      ),
    };
  } catch (error) {
    const failure = BridgeError.from(error);
    return isRefusalOfTools(failure) ? 'no' : { error: failure };
  }
}

/**
 * Arguments are an object, or in OpenAI's format its JSON; an unparsable string is the sign of a
 * template that does not work.
 */
function hasArguments(value: unknown): boolean {
  const parsed = asObject(typeof value === 'string' ? parseJson(value) : value);
  return parsed !== null && 'value' in parsed;
}

/**
 * Servers say it in words only: Ollama for a model without tools, vLLM and llama.cpp for a server
 * started without support.
 */
function isRefusalOfTools(failure: BridgeError): boolean {
  if (failure.kind !== 'backend_error') return false;
  const status = failure.details['status'];
  if (status !== 400 && status !== 422 && status !== 500 && status !== 501) return false;
  return /does not support tools|enable-auto-tool-choice|tool-call-parser|tools? param requires|requires? --jinja/i.test(
    failure.message,
  );
}
