import { BridgeError } from '../../base/bridgeError.ts';
import { askTurn } from '../runners/loop/wire/askTurn.ts';
import type { TurnRequest } from '../runners/loop/wire/turnTypes.ts';
import type { EndpointTarget, WireFormat } from './endpointTarget.ts';

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
  inputSchema: {
    type: 'object',
    properties: { value: { type: 'integer', description: 'The number to report.' } },
    required: ['value'],
  },
};

/**
 * Whether a model calls a tool when it is asked to. One small request with one tool, asked for as a
 * job asks: as a stream, in which some servers do not parse calls and some gateways give another
 * name of the model than in a whole answer. The call is not forced, because a forced one is made by
 * the server's grammar whatever model and template can do. `no` also when the server refuses tools.
 */
export async function probeToolCalls(
  target: EndpointTarget,
  model: string,
  format: WireFormat,
  options: ToolProbeOptions,
): Promise<ToolProbeResult> {
  const { onModelName, timeoutMs, signal = new AbortController().signal } = options;
  try {
    const answer = await askTurn(target, probeTurn(model, format), {
      endpoint: target.name,
      signal,
      timeoutMs,
      idleTimeoutMs: timeoutMs,
    });
    if (answer.modelServed !== null) onModelName?.(answer.modelServed);
    const isCalled = answer.blocks.some(
      (block) =>
        block.type === 'tool_call' &&
        block.name === TOOL.name &&
        block.input !== null &&
        'value' in block.input,
    );
    if (isCalled) return 'yes';
    const isCut = answer.stopReason === 'max_tokens';
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

function probeTurn(model: string, format: WireFormat): TurnRequest {
  return {
    model,
    format,
    system: '',
    tools: [TOOL],
    messages: [
      {
        role: 'user',
        text: 'Call the tool report_number with the value 7. Do not answer with text.',
      },
    ],
    maxTokens: MAX_TOKENS,
    effort: null,
    isStreaming: true,
    hasCacheMarks: false,
    resendsReasoning: false,
  };
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
