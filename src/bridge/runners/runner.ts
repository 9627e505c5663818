import type { Failure, Usage } from '../../protocol/job.ts';

/** What a runner reports while it works. The job host turns these into the record, the transcript and events.jsonl. */
export type RunnerEvent =
  | { readonly type: 'session'; readonly sessionId: string; readonly model: string | null }
  | { readonly type: 'assistant'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'tool'; readonly id: string; readonly name: string; readonly input: unknown }
  | {
      readonly type: 'tool_result';
      readonly id: string;
      readonly isError: boolean;
      readonly text: string;
    }
  /** A command that the model ran ended. `exit` null: the runner did not say. */
  | { readonly type: 'command'; readonly exit: number | null; readonly isError: boolean }
  | { readonly type: 'file_claimed'; readonly path: string }
  | { readonly type: 'turn'; readonly turns: number }
  | { readonly type: 'usage'; readonly usage: Usage; readonly contextUsed: number | null }
  | {
      readonly type: 'retry';
      readonly count: number;
      readonly inS: number | null;
      readonly reason: string;
    }
  | { readonly type: 'mark'; readonly text: string }
  | { readonly type: 'stderr'; readonly line: string }
  /** The raw message of the program, kept in events.jsonl. */
  | { readonly type: 'raw'; readonly value: unknown }
  | { readonly type: 'end'; readonly end: RunnerEnd };

/** How a session ended. `failure` null means the runner finished; text and usage are kept in both cases. */
export interface RunnerEnd {
  readonly failure: Failure | null;
  readonly text: string | null;
  readonly turns: number | null;
  readonly stopReason: string | null;
  readonly usage: Usage | null;
  readonly modelServed: string | null;
  readonly exitCode: number | null;
  readonly warnings: readonly string[];
}

export interface RunnerSession {
  readonly events: AsyncIterable<RunnerEvent>;
  /** Ends the whole process tree; resolves when it is gone. */
  stop(reason: 'cancelled' | 'timeout' | 'lost'): Promise<void>;
}
