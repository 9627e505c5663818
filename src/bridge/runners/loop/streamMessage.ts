import type { AssistantBlock, ToolResult } from './history.ts';
import type { RunnerEnd } from '../runner.ts';

/**
 * What happened in a loop job, in the shape of Claude Code's JSON stream: whoever reads events.jsonl reads the jobs of both runners alike.
 */
export const streamMessage = {
  began: (sessionId: string, model: string) => ({
    type: 'system',
    subtype: 'init',
    session_id: sessionId,
    model,
  }),

  answer: (turn: number, model: string, blocks: readonly AssistantBlock[]) => ({
    type: 'assistant',
    message: { id: `turn-${turn}`, role: 'assistant', model, content: blocks.map(contentOf) },
  }),

  /** `exits`: of commands, by call. */
  results: (results: readonly ToolResult[], exits: ReadonlyMap<string, number | null>) => ({
    type: 'user',
    message: { role: 'user', content: results.map((result) => resultOf(result, exits)) },
  }),

  /** `tokens`: of the prompt before; null: not known. */
  madeRoom: (tokens: number | null) => ({
    type: 'system',
    subtype: 'compact_boundary',
    compact_metadata: { pre_tokens: tokens },
  }),

  retry: (attempt: number, delayMs: number, status: unknown, error: string) => ({
    type: 'system',
    subtype: 'api_retry',
    attempt,
    retry_delay_ms: Math.round(delayMs),
    error_status: status ?? null,
    error,
  }),

  ended: ({ failure, stopReason, turns }: RunnerEnd) => ({
    type: 'result',
    subtype: failure === null ? 'success' : failure.kind,
    is_error: failure !== null,
    num_turns: turns,
    stop_reason: stopReason,
    ...(failure === null ? {} : { errors: [failure.message] }),
  }),
};

function contentOf(block: AssistantBlock): Record<string, unknown> {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'thinking':
      return { type: 'thinking', thinking: block.isRedacted ? '' : block.text };
    case 'tool_call': {
      const { id, name, input, rawInput } = block;
      return { type: 'tool_use', id, name, input: input ?? rawInput };
    }
  }
}

function resultOf(
  { callId, text, isError }: ToolResult,
  exits: ReadonlyMap<string, number | null>,
): Record<string, unknown> {
  const exit = exits.get(callId) ?? 0;
  return {
    type: 'tool_result',
    tool_use_id: callId,
    is_error: isError || exit !== 0,
    content: exit === 0 ? text : `Exit code ${exit}\n${text}`,
  };
}
