import type { Usage } from '../../../../protocol/job.ts';
import type { WireFormat } from '../../../endpoints/endpointTarget.ts';
import type { AssistantBlock, Message } from '../history.ts';

/** A tool as the model is told of it. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its input; keys in a fixed order, so that the text of the request stays the same. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** One turn to be asked for. Requests of one job that differ only at the end of `messages` share all bytes before it. */
export interface TurnRequest {
  readonly model: string;
  readonly format: WireFormat;
  readonly system: string;
  readonly tools: readonly ToolSpec[];
  readonly messages: readonly Message[];
  /** Output limit, in tokens. */
  readonly maxTokens: number;
  /** Reasoning effort as the call gave it; null: not sent. */
  readonly effort: string | null;
  readonly isStreaming: boolean;
  /** Anthropic's marks for prompt caching. */
  readonly hasCacheMarks: boolean;
  /** Whether the reasoning of earlier turns goes back in chat completions; Anthropic's thinking blocks always do. */
  readonly resendsReasoning: boolean;
}

export type StopReason = 'end_turn' | 'tool_use' | 'max_tokens' | 'content_filter' | 'unknown';

/** One whole answer. */
export interface TurnAnswer {
  readonly blocks: readonly AssistantBlock[];
  readonly stopReason: StopReason;
  /** What the server gave as the reason, in its own word; null: it gave none. */
  readonly rawStopReason: string | null;
  readonly usage: Usage;
  readonly modelServed: string | null;
}

/** What was seen of a request, whether it succeeded or not; the log of the job has one line for each. */
export interface TurnTrace {
  readonly status: number | null;
  readonly msFirstByte: number | null;
  readonly msTotal: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly modelServed: string | null;
  readonly usage: Usage;
  /** What the server gave as the reason for the end; null: none, or there was no whole answer. */
  readonly stopReason: string | null;
  readonly error: string | null;
}

export interface TurnCallbacks {
  /** Called for each piece as it comes; `tool` says only that arguments are coming. */
  readonly onDelta?: (kind: 'text' | 'thinking' | 'tool', text: string) => void;
  /** The first token of the answer is here: from now on the turn must not be asked for elsewhere. */
  readonly onFirstToken?: () => void;
  readonly onTrace?: (trace: TurnTrace) => void;
}
