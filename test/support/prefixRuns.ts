import { Conversation, type ConversationSink } from '../../src/bridge/runners/loop/conversation.ts';
import { evictResults } from '../../src/bridge/runners/loop/evictResults.ts';
import type { Message } from '../../src/bridge/runners/loop/history.ts';
import { loopRig, toolsOf } from './loopRig.ts';
import { startLlamaServer } from './llamaServer.ts';

export const PREFIX_TURNS = 30;
const WINDOW = 16_384;
const KEPT_RESULTS = 6;
const STEPS = [
  ...Array.from({ length: PREFIX_TURNS - 1 }, (_, at) => ({
    tool: 'read_file',
    input: { path: `src/part-${at}.ts` },
  })),
  { text: 'Read them all.' },
];
/** About 770 tokens with the model of the tests. */
const RESULT = Array.from({ length: 60 }, (_, at) => `${at}\tconst value${at} = read(${at});`).join(
  '\n',
);

const READ_FILE = {
  name: 'read_file',
  description: 'Reads a file.',
  inputSchema: { type: 'object', properties: { path: {} } },
};

const SILENT: ConversationSink = {
  begin: () => undefined,
  message: () => undefined,
  evicted: () => undefined,
};

/** What many loops do: before each request all but the newest six results are notes. */
class RollingConversation extends Conversation {
  override get messages(): readonly Message[] {
    const asked = { characters: Number.MAX_SAFE_INTEGER, keepNewest: KEPT_RESULTS, least: 0 };
    return evictResults(super.messages, asked).messages;
  }
}

export interface PrefixRun {
  /** Prompt tokens that the server had to process, turn by turn: those that its cache did not have. */
  readonly processed: readonly number[];
  /** Prompt tokens, turn by turn. */
  readonly prompts: readonly number[];
}

/** A job of 30 turns with large results on a real llama-server, with the bridge's eviction or with one in every turn. */
export async function prefixRun(binary: string, kind: 'steps' | 'rolling'): Promise<PrefixRun> {
  const server = await startLlamaServer({ binary, steps: STEPS, contextTokens: 65_536 });
  const conversation =
    kind === 'steps'
      ? new Conversation('You read.', SILENT)
      : new RollingConversation('You read.', SILENT);
  const rig = loopRig({
    url: server.url,
    format: 'openai',
    conversation,
    tools: {
      ...toolsOf({ read_file: () => ({ text: RESULT, isError: false }) }),
      specs: [READ_FILE],
    },
    maxTurns: PREFIX_TURNS,
    maxNudges: 0,
    // The rolling one keeps itself small: its window is never full.
    place: {
      model: 'scripted',
      contextWindow: kind === 'steps' ? WINDOW : 1_000_000,
      maxTokens: 400,
    },
  });
  try {
    const end = await rig.run('Read all parts.');
    if (end.failure !== null) throw new Error(end.failure.message);
    const usages = rig.traces.map(({ usage }) => usage);
    return {
      processed: usages.map(({ input }) => input ?? NaN),
      prompts: usages.map(({ input, cacheRead }) => (input ?? NaN) + (cacheRead ?? 0)),
    };
  } finally {
    await rig.dispose();
    await server.stop();
  }
}
