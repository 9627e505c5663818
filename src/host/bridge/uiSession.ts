import * as z from 'zod';
import type { Failure } from '../../protocol/job.ts';
import { fromWire, toWire } from '../../protocol/keys.ts';
import {
  UI_TOOLS,
  type UiAnswer,
  type UiArgs,
  type UiToolName,
} from '../../protocol/ui/uiTools.ts';
import { connectMcpClient } from './mcpClientSdk.ts';

// The entry of the bundle that is loaded at the first start of the server: the MCP client and the schemas of its answers.

export type UiOutcome<Name extends UiToolName> =
  | { readonly isOk: true; readonly answer: UiAnswer<Name> }
  /** `answer` holds what came beside the error, such as the conflicts of an accept. */
  | { readonly isOk: false; readonly failure: Failure; readonly answer: Partial<UiAnswer<Name>> };

/** The tools of one server process, typed. */
export interface UiSession {
  readonly serverVersion: string;
  /** What the engine refuses is an outcome. Rejects when the server is gone, or answers what its schema does not allow. */
  call<Name extends UiToolName>(
    name: Name,
    args: UiArgs<Name>,
    signal?: AbortSignal,
  ): Promise<UiOutcome<Name>>;
  subscribe(uri: string): Promise<void>;
  unsubscribe(uri: string): Promise<void>;
}

const errorSchema = z.object({
  ok: z.literal(false),
  error: z.object({ kind: z.string(), message: z.string(), hint: z.string() }),
});

export async function connectUiSession(
  options: Parameters<typeof connectMcpClient>[0],
): Promise<UiSession> {
  const session = await connectMcpClient(options);
  return {
    serverVersion: session.serverVersion,
    subscribe: (uri) => session.subscribe(uri),
    unsubscribe: (uri) => session.unsubscribe(uri),
    async call<Name extends UiToolName>(name: Name, args: UiArgs<Name>, signal?: AbortSignal) {
      const wireArgs = toWire(args) as Record<string, unknown>;
      return readAnswer(name, await session.callTool(name, wireArgs, signal));
    },
  };
}

function readAnswer<Name extends UiToolName>(name: Name, answer: unknown): UiOutcome<Name> {
  const output: z.ZodObject = UI_TOOLS[name].output;
  const failed = errorSchema.safeParse(answer);
  if (failed.success) {
    const beside = output.partial().safeParse(answer);
    return {
      isOk: false,
      failure: failed.data.error,
      answer: (beside.success ? fromWire(beside.data) : {}) as Partial<UiAnswer<Name>>,
    };
  }
  const parsed = output.safeParse(answer);
  if (!parsed.success) {
    throw new Error(
      `The server's answer to ${name} is not what this version understands: ${z.prettifyError(parsed.error)}`,
    );
  }
  return { isOk: true, answer: fromWire(parsed.data) as UiAnswer<Name> };
}
