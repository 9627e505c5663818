import type * as z from 'zod';
import type { Caller } from '../bridge/bridgeTypes.ts';
import type { ConfigProblem } from '../config/problem.ts';
import type { JobRecord } from '../protocol/job.ts';
import type { BridgeApi } from './bridgeApi.ts';

/** What a tool does to the world; `read` tools are the only ones in restricted mode. */
type ToolEffect = 'read' | 'write' | 'destructive';

/** What one call of a tool has at hand. */
export interface ToolContext {
  readonly bridge: BridgeApi;
  readonly caller: Caller;
  readonly defaultCwd: string;
  readonly now: () => Date;
  /** Aborted when the client cancels the request or leaves. */
  readonly signal: AbortSignal;
  /** Reports that a wait goes on; does nothing when the client did not ask for progress. */
  readonly reportProgress: (jobs: readonly JobRecord[]) => void;
  /** The same for work that is no job, by the line it has just printed. */
  readonly reportText: (text: string) => void;
  /** Takes work that goes on when the call is gone; the server finishes it before it exits. */
  readonly onAbandoned: (work: Promise<unknown>) => void;
}

/** An answer to a call, in wire spelling. */
export interface ToolAnswer {
  readonly provenance: string;
  readonly fields: Record<string, unknown>;
  /** What the client's model reads below the provenance; the fields as JSON when absent. */
  readonly text?: string;
  /** Set when the call was understood and what was asked for did not come about. */
  readonly error?: {
    readonly kind: string;
    readonly message: string;
    readonly hint: string;
  } & Record<string, unknown>;
  /** What is wrong in the configuration in the light of what the endpoints have just said; else what the files alone show is told. */
  readonly problems?: readonly ConfigProblem[];
  /** Where the whole is, should the answer be too long. */
  readonly resourceUri?: string;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: ToolEffect;
  readonly isIdempotent: boolean;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  /** Throws BridgeError for what the engine refuses; the caller turns it into an error value. */
  readonly run: (args: Record<string, unknown>, context: ToolContext) => Promise<ToolAnswer>;
}

/** A tool whose `run` sees arguments of the type of its input schema: they are parsed before it is called. */
export function defineTool<Input extends z.ZodObject>(
  tool: Omit<Tool, 'run' | 'input'> & {
    readonly input: Input;
    readonly run: (args: z.infer<Input>, context: ToolContext) => Promise<ToolAnswer>;
  },
): Tool {
  return { ...tool, run: (args, context) => tool.run(args as z.infer<Input>, context) };
}
