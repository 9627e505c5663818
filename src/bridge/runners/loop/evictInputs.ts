import type { EvictedPlace, Eviction, EvictionAsked } from './evictResults.ts';
import type { AssistantMessage, Message, ToolCallBlock } from './history.ts';
import { roomNote } from './roomNote.ts';

/** A shorter text in a call is not worth a note in its place. */
const SHORT_CHARACTERS = 400;

/**
 * Replaces long texts in the arguments of calls (files that were written) by notes, oldest first: for histories in which the results are
 * not what takes the room.
 */
export function evictInputs(messages: readonly Message[], asked: EvictionAsked): Eviction {
  const answers = messages.flatMap((message, at) => (message.role === 'assistant' ? [at] : []));
  const places: EvictedPlace[] = [];
  let freedCharacters = 0;
  for (const message of answers.slice(0, Math.max(0, answers.length - asked.keepNewest))) {
    for (const [block, call] of callsAt(messages, message)) {
      if (freedCharacters >= asked.characters) break;
      const freed = call.rawInput.length - shortened(call).rawInput.length;
      if (freed <= 0) continue;
      freedCharacters += freed;
      places.push({ message, block });
    }
  }
  if (freedCharacters < asked.least) return { messages, freedCharacters: 0, places: [] };
  return { messages: applyInputEvictions(messages, places), freedCharacters, places };
}

/** The history with the arguments at these places shortened; others are the same objects as before. */
export function applyInputEvictions(
  messages: readonly Message[],
  places: readonly EvictedPlace[],
): readonly Message[] {
  const wanted = Map.groupBy(places, ({ message }) => message);
  return messages.map((message, at) => {
    const here = wanted.get(at)?.flatMap((place) => ('block' in place ? [place.block] : []));
    return here === undefined || message.role !== 'assistant'
      ? message
      : shortenedIn(message, here);
  });
}

function shortenedIn(message: AssistantMessage, blocks: readonly number[]): AssistantMessage {
  return {
    ...message,
    blocks: message.blocks.map((block, at) =>
      block.type === 'tool_call' && blocks.includes(at) ? shortened(block) : block,
    ),
  };
}

/** The same call with notes in place of its long texts. */
function shortened(call: ToolCallBlock): ToolCallBlock {
  if (call.input === null) return call;
  const entries = Object.entries(call.input);
  if (!entries.some(([, value]) => isLong(value))) return call;
  const input = Object.fromEntries(
    entries.map(([key, value]) => [
      key,
      isLong(value) ? roomNote(value.length, 'The call was run with them.') : value,
    ]),
  );
  return { ...call, input, rawInput: JSON.stringify(input) };
}

function isLong(value: unknown): value is string {
  return typeof value === 'string' && value.length > SHORT_CHARACTERS;
}

function callsAt(messages: readonly Message[], at: number): [number, ToolCallBlock][] {
  const message = messages[at];
  if (message?.role !== 'assistant') return [];
  return message.blocks.flatMap((block, index): [number, ToolCallBlock][] =>
    block.type === 'tool_call' ? [[index, block]] : [],
  );
}
