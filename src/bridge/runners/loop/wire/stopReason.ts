import type { StopReason } from './turnTypes.ts';

const MEANING: Readonly<Record<string, StopReason>> = {
  end_turn: 'end_turn',
  stop: 'end_turn',
  stop_sequence: 'end_turn',
  eos: 'end_turn',
  tool_use: 'tool_use',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  max_tokens: 'max_tokens',
  length: 'max_tokens',
  model_context_window_exceeded: 'max_tokens',
  content_filter: 'content_filter',
  refusal: 'content_filter',
  sensitive: 'content_filter',
};

/**
 * The reason for the end in our words. Some servers say `stop` where there are calls; one that speaks of calls and sent none
 * lost them, which must not count as a good end.
 */
export function stopReason(raw: string | null, hasCalls: boolean): StopReason {
  const meaning = (raw === null ? undefined : MEANING[raw.toLowerCase()]) ?? 'unknown';
  if (meaning === 'end_turn' && hasCalls) return 'tool_use';
  if (meaning === 'tool_use' && !hasCalls) return 'unknown';
  return meaning;
}
