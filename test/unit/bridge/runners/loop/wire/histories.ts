import fc from 'fast-check';
import type {
  AssistantBlock,
  AssistantMessage,
  Message,
  ToolCallBlock,
} from '../../../../../../src/bridge/runners/loop/history.ts';
import type { TurnRequest } from '../../../../../../src/bridge/runners/loop/wire/turnTypes.ts';

export const TARGET = { name: 'tower', baseUrl: 'http://127.0.0.1:1' };

export function turnRequest(overrides: Partial<TurnRequest> = {}): TurnRequest {
  return {
    model: 'm',
    format: 'anthropic',
    system: 'You are an agent.',
    tools: [
      { name: 'read_file', description: 'Reads.', inputSchema: { type: 'object' } },
      { name: 'run_bash', description: 'Runs.', inputSchema: { type: 'object', required: ['x'] } },
    ],
    messages: [user('Do it.')],
    maxTokens: 100,
    effort: null,
    isStreaming: true,
    hasCacheMarks: false,
    resendsReasoning: false,
    ...overrides,
  };
}

export function user(text: string): Message {
  return { role: 'user', text };
}

export function assistant(
  blocks: readonly AssistantBlock[],
  { endpoint = 'tower', model = 'm' } = {},
): AssistantMessage {
  return { role: 'assistant', endpoint, model, blocks };
}

export function call(id: string, overrides: Partial<ToolCallBlock> = {}): ToolCallBlock {
  return {
    type: 'tool_call',
    id,
    name: 'run_bash',
    input: { x: 1 },
    rawInput: '{"x":1}',
    ...overrides,
  };
}

export function text(said: string): AssistantBlock {
  return { type: 'text', text: said };
}

export function thinking(said: string, signature: string | null = null): AssistantBlock {
  return { type: 'thinking', text: said, signature, isRedacted: false };
}

export function results(...ids: readonly string[]): Message {
  return {
    role: 'results',
    results: ids.map((callId) => ({
      callId,
      name: 'run_bash',
      text: `of ${callId}`,
      isError: false,
    })),
  };
}

const anyText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const anyId = fc.constantFrom('', 'call_0', 'call_1', 'functions.a:0', 'toolu_01', 'functions:a.0');
const anyBlock: fc.Arbitrary<AssistantBlock> = fc.oneof(
  fc.record({ type: fc.constant('text'), text: fc.oneof(anyText, fc.constant('\n')) }),
  fc.record({
    type: fc.constant('thinking'),
    text: anyText,
    signature: fc.constantFrom(null, 'sig'),
    isRedacted: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('tool_call'),
    id: anyId,
    name: fc.constantFrom('run_bash', '', 'read file', 'x'.repeat(80)),
    input: fc.oneof(
      fc.constant(null),
      fc.dictionary(anyText, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 }),
    ),
    rawInput: anyText,
  }),
);

/** A turn as the loop may record it, with whatever a server may have sent; results may be missing or too many. */
const anyTurn: fc.Arbitrary<readonly Message[]> = fc
  .record({
    blocks: fc.array(anyBlock, { maxLength: 4 }),
    endpoint: fc.constantFrom('tower', 'cloud'),
    model: fc.constantFrom('m', 'other'),
    texts: fc.array(fc.oneof(anyText, fc.constant('')), { minLength: 1, maxLength: 4 }),
    isError: fc.boolean(),
    lost: fc.nat({ max: 5 }),
    nudge: anyText.filter((said) => said.trim() !== ''),
  })
  .map(({ blocks, endpoint, model, texts, isError, lost, nudge }) => {
    const answer = assistant(blocks, { endpoint, model });
    const calls = blocks.filter((block) => block.type === 'tool_call');
    if (calls.length === 0) return [answer, user(nudge)];
    const given = calls
      .filter((_, at) => at !== lost)
      .map(({ id, name }, at) => ({
        callId: id,
        name,
        text: texts[at % texts.length] ?? '',
        isError,
      }));
    const stray = { callId: 'nobody', name: 'x', text: 'x', isError };
    return [answer, { role: 'results', results: lost === 3 ? [...given, stray] : given }];
  });

/** A history of a job, turn by turn: what the model is asked first, then its turns. */
export const anyHistory: fc.Arbitrary<readonly (readonly Message[])[]> = fc
  .tuple(
    anyText.filter((said) => said.trim() !== ''),
    fc.array(anyTurn, { maxLength: 8 }),
  )
  .map(([task, turns]) => [[user(task)], ...turns]);
