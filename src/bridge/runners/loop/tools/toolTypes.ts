import type { ToolSpec } from '../wire/turnTypes.ts';

/** Answer of one tool call, as text for the model and as facts for the record. */
export interface ToolOutcome {
  readonly text: string;
  readonly isError: boolean;
  /** Set by `run_bash`: exit status (negative: a signal); null when it timed out or did not start. */
  readonly exit?: number | null;
  /** Set by tools that wrote a file: its path below the work folder. */
  readonly wrote?: string;
}

/** The tools of one job, made for its folder and its rights. */
export interface ToolBox {
  /** Always the same objects in the same order. */
  readonly specs: readonly ToolSpec[];
  /** Never throws for what the model did wrong: that is an outcome with `isError`. Rejects only when `signal` is aborted. */
  call(
    name: string,
    input: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<ToolOutcome>;
}
