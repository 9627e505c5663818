import type { Answer } from './answer.ts';
import type { Conversation } from './conversation.ts';
import type { JsonObject } from './json.ts';

/** An answer with all that the wire forms need. */
export interface FinishedAnswer extends Answer {
  /** Unique per answer; ids on the wire are made from it. */
  id: string;
  model: string;
  /** Unix time in seconds. */
  createdS: number;
  usage: { inputTokens: number; outputTokens: number };
  /** The arguments as they go over the wire: JSON for a function (broken on purpose if the script says so), or text. */
  rawInput: string;
}

/** One piece of a streamed body, already framed. */
export interface StreamPiece {
  text: string;
  /** Tokens of the answer in this piece, for its pace. */
  tokens: number;
}

/** How one API reads a request and writes an answer. */
export interface Dialect {
  /** The field without which a body asks for nothing. */
  readonly requiredField: 'messages' | 'input';
  read(body: JsonObject, sessionHeader: string | null): Conversation;
  write(answer: FinishedAnswer): JsonObject;
  stream(answer: FinishedAnswer, request: JsonObject): StreamPiece[];
  error(status: number, message: string): JsonObject;
}

/** A server-sent event; `event` is left out where the API has none. */
export function sse(data: JsonObject, tokens = 0, event: string | null = null): StreamPiece {
  const name = event === null ? '' : `event: ${event}\n`;
  return { text: `${name}data: ${JSON.stringify(data)}\n\n`, tokens };
}

/** OpenAI's error body, which llama.cpp uses too. */
export function openAiError(status: number, message: string): JsonObject {
  return { error: { code: status, message, type: errorType(status) } };
}

/** The name both vendors give to a status. */
export function errorType(status: number): string {
  switch (status) {
    case 400:
      return 'invalid_request_error';
    case 401:
      return 'authentication_error';
    case 403:
      return 'permission_error';
    case 404:
      return 'not_found_error';
    case 429:
      return 'rate_limit_error';
    case 529:
      return 'overloaded_error';
    default:
      return status >= 500 ? 'api_error' : 'invalid_request_error';
  }
}
