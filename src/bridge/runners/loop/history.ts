/** What was said in a job of the loop runner, in no vendor's format: each request is built from it anew, each answer read into it. */
export type Message = UserMessage | AssistantMessage | ResultsMessage;

interface UserMessage {
  readonly role: 'user';
  readonly text: string;
}

/** One answer of the model, its blocks in the order in which they came. */
export interface AssistantMessage {
  readonly role: 'assistant';
  /** The endpoint and model that made it: thinking goes back only to where it came from. */
  readonly endpoint: string;
  readonly model: string;
  readonly blocks: readonly AssistantBlock[];
}

export type AssistantBlock = TextBlock | ThinkingBlock | ToolCallBlock;

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly text: string;
  /** Anthropic's signature, or the data of a redacted block; null: none came. */
  readonly signature: string | null;
  readonly isRedacted: boolean;
}

export interface ToolCallBlock {
  readonly type: 'tool_call';
  readonly id: string;
  readonly name: string;
  /** Null when what came is no JSON object: cut off, or nonsense. */
  readonly input: Readonly<Record<string, unknown>> | null;
  /** The text that came as arguments. */
  readonly rawInput: string;
}

/** The results of all tool calls of the answer before it, in their order. */
export interface ResultsMessage {
  readonly role: 'results';
  readonly results: readonly ToolResult[];
}

export interface ToolResult {
  readonly callId: string;
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
}
