import type { JsonObject } from './json.ts';

/** A request of any of the three APIs, reduced to what a script needs. */
export interface Conversation {
  turns: readonly Turn[];
  tools: readonly OfferedTool[];
  /** Whether the client insists on a tool call: by name, any (true) or not at all (null). */
  demandedTool: string | true | null;
  /** Tells conversations with the same brief apart, where the client sends something that does. */
  session: string;
  wantsStream: boolean;
  /** Tokens of everything the model would have read, by our own tokenizer. */
  promptTokens: number;
}

/**
 * `user`: what the user says, also beside a tool result. `call`/`final`: an answer of the model with and without a tool
 * call. `result`: one tool result.
 */
export type Turn =
  | { kind: 'user'; text: string }
  | { kind: 'call' }
  | { kind: 'final' }
  | { kind: 'result'; text: string };

export interface OfferedTool {
  name: string;
  /** Some Responses clients offer tools that take free text instead of JSON (`custom`). */
  form: 'function' | 'custom';
  /** JSON schema of the input; empty when the client sent none. */
  schema: JsonObject;
}

/**
 * One text of a user's message without what is not the user's: Claude Code's reminders, and system messages that a gateway
 * has folded into it. A script in them (from a project's docs, say) is not a brief.
 */
export function userText(text: string): string {
  const own = text.replace(/<system-reminder>[\s\S]*?(<\/system-reminder>|$)/g, '').trim();
  return own.startsWith('<system>\n') && own.endsWith('\n</system>') ? '' : own;
}
