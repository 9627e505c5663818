import { roomNote } from './roomNote.ts';
import type { Message, ResultsMessage, ToolResult } from './history.ts';

/** A shorter result is not worth a note in its place. */
const SHORT_CHARACTERS = 400;

export interface EvictionAsked {
  /** How many characters have to go. */
  readonly characters: number;
  /** The newest answers of tools (all results of one turn count as one) that stay whatever happens. */
  readonly keepNewest: number;
  /** When less than this would come free, nothing is touched. */
  readonly least: number;
}

export interface Eviction {
  readonly messages: readonly Message[];
  readonly freedCharacters: number;
  /** Where results were replaced, in the order of the history. */
  readonly places: readonly EvictedPlace[];
}

/** A result of a results message, or a call among the blocks of an answer. */
export type EvictedPlace =
  | { readonly message: number; readonly result: number }
  | { readonly message: number; readonly block: number };

/** Replaces results of tools by short notes, oldest first, until enough characters are free or nothing is left to replace. */
export function evictResults(messages: readonly Message[], asked: EvictionAsked): Eviction {
  const rounds = messages.flatMap((message, at) => (message.role === 'results' ? [at] : []));
  const last = rounds.length - asked.keepNewest;
  const places: EvictedPlace[] = [];
  let freedCharacters = 0;
  for (const message of rounds.slice(0, Math.max(0, last))) {
    for (const [result, { text }] of resultsAt(messages, message).entries()) {
      if (freedCharacters >= asked.characters) break;
      if (text.length <= SHORT_CHARACTERS) continue;
      freedCharacters += text.length - noteFor(text.length).length;
      places.push({ message, result });
    }
  }
  if (freedCharacters < asked.least) return { messages, freedCharacters: 0, places: [] };
  return { messages: applyEvictions(messages, places), freedCharacters, places };
}

/** The history with the results at these places replaced; others are the same objects as before. */
export function applyEvictions(
  messages: readonly Message[],
  places: readonly EvictedPlace[],
): readonly Message[] {
  const wanted = Map.groupBy(places, ({ message }) => message);
  return messages.map((message, at) => {
    const here = wanted.get(at);
    return here === undefined || message.role !== 'results' ? message : evictedIn(message, here);
  });
}

function evictedIn(message: ResultsMessage, places: readonly EvictedPlace[]): ResultsMessage {
  const evicted = new Set(places.flatMap((place) => ('result' in place ? [place.result] : [])));
  const replace = (result: ToolResult): ToolResult => ({
    ...result,
    text: noteFor(result.text.length),
  });
  return {
    ...message,
    results: message.results.map((result, at) => (evicted.has(at) ? replace(result) : result)),
  };
}

function noteFor(characters: number): string {
  return roomNote(characters, 'Call the tool again if you need them.');
}

function resultsAt(messages: readonly Message[], at: number): readonly ToolResult[] {
  const message = messages[at];
  return message?.role === 'results' ? message.results : [];
}
