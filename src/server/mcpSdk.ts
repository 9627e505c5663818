// The only import of the MCP SDK on the server side.
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { deserializeMessage, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
  type CallToolResult,
  type CompleteResult,
  type GetPromptResult,
  type JSONRPCMessage,
  type Prompt,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplate,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { LineSplitter } from '../base/lineSplitter.ts';
import { MAX_MESSAGE_LENGTH } from '../protocol/messageSize.ts';

export type {
  CallToolResult,
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  Tool as ToolListing,
};

export interface CallScope {
  readonly signal: AbortSignal;
  /** Sends one progress notification; null when the client gave no token. */
  readonly sendProgress: ((step: number, message: string) => void) | null;
}

export interface McpHandlers {
  listTools(): Tool[];
  callTool(name: string, args: Record<string, unknown>, scope: CallScope): Promise<CallToolResult>;
  listResources(): Promise<Resource[]>;
  listResourceTemplates(): ResourceTemplate[];
  readResource(uri: string): Promise<ReadResourceResult>;
  subscribe(uri: string): Promise<void>;
  unsubscribe(uri: string): Promise<void>;
  listPrompts(): Prompt[];
  getPrompt(name: string, args: Record<string, string>): Promise<GetPromptResult>;
  complete(argument: string, typed: string): Promise<string[]>;
}

export interface McpConnection {
  /** Null before the handshake. */
  clientName(): string | null;
  /** The client's roots as it lists them; empty when it has none or does not say in time. */
  listRoots(timeoutMs: number): Promise<string[]>;
  resourceUpdated(uri: string): void;
}

const MAX_COMPLETIONS = 100;

/** An error of the protocol itself: a malformed call, an unknown tool or resource. */
export function protocolError(
  message: string,
  kind: 'invalid_params' | 'not_found' = 'invalid_params',
): Error {
  // -32002 is what the specification of resources names for one that is not there.
  return new McpError(kind === 'not_found' ? -32002 : ErrorCode.InvalidParams, message);
}

/** Serves one client over a pair of streams. `onError` hears of messages that are not in the protocol. */
export async function connectMcpServer(options: {
  readonly version: string;
  readonly instructions: string;
  readonly handlers: McpHandlers;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly onError: (error: Error) => void;
}): Promise<McpConnection> {
  const { handlers } = options;
  // The SDK prefers its McpServer; ours brings JSON schemas and error values of its own.
  const server = new Server(
    { name: 'delegate', title: 'Delegation Bridge', version: options.version },
    {
      capabilities: { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {} },
      instructions: options.instructions,
      // Only answers to elicitation are validated with it, which this server never asks for; the SDK's own takes long to make.
      jsonSchemaValidator: { getValidator: unusedValidator },
    },
  );
  server.onerror = options.onError;
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: handlers.listTools() }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => {
    const token = params._meta?.progressToken;
    const sendProgress =
      token === undefined
        ? null
        : (progress: number, message: string): void => {
            const note = {
              method: 'notifications/progress' as const,
              params: { progressToken: token, progress, message },
            };
            extra.sendNotification(note).catch(options.onError);
          };
    return handlers.callTool(params.name, params.arguments ?? {}, {
      signal: extra.signal,
      sendProgress,
    });
  });
  server.setRequestHandler(ListResourcesRequestSchema, async () => ({
    resources: await handlers.listResources(),
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: handlers.listResourceTemplates(),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) =>
    handlers.readResource(params.uri),
  );
  server.setRequestHandler(SubscribeRequestSchema, async ({ params }) => {
    await handlers.subscribe(params.uri);
    return {};
  });
  server.setRequestHandler(UnsubscribeRequestSchema, async ({ params }) => {
    await handlers.unsubscribe(params.uri);
    return {};
  });
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: handlers.listPrompts() }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) =>
    handlers.getPrompt(params.name, params.arguments ?? {}),
  );
  server.setRequestHandler(CompleteRequestSchema, async ({ params }): Promise<CompleteResult> => {
    const values = await handlers.complete(params.argument.name, params.argument.value);
    const shown = values.slice(0, MAX_COMPLETIONS);
    return {
      completion: { values: shown, total: values.length, hasMore: values.length > shown.length },
    };
  });
  await server.connect(new StdioTransport(options.stdin, options.stdout));
  return {
    clientName: () => server.getClientVersion()?.name ?? null,
    listRoots: async (timeoutMs) => {
      if (server.getClientCapabilities()?.roots === undefined) return [];
      const { roots } = await server.listRoots(undefined, { timeout: timeoutMs });
      return roots.map((root) => root.uri);
    },
    resourceUpdated: (uri) => {
      server.sendResourceUpdated({ uri }).catch(options.onError);
    },
  };
}

/**
 * Messages as lines. The SDK's own transport copies what it has with every chunk, which takes seconds for a large file, and ends the
 * session at a message that is too long; here only that message is left out.
 */
class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #stdin: Readable;
  readonly #stdout: Writable;

  constructor(stdin: Readable, stdout: Writable) {
    this.#stdin = stdin;
    this.#stdout = stdout;
  }

  async start(): Promise<void> {
    const lines = new LineSplitter({
      maxLength: MAX_MESSAGE_LENGTH,
      onLine: (line) => this.#read(line),
      onTooLong: (length) =>
        this.onerror?.(new Error(`A message of ${length} characters was left out.`)),
    });
    this.#stdin.on('data', (chunk: Buffer) => lines.push(chunk));
    this.#stdin.on('error', (error) => this.onerror?.(error));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#stdout.write(serializeMessage(message))) return;
    await once(this.#stdout, 'drain');
  }

  async close(): Promise<void> {
    this.onclose?.();
  }

  #read(line: string): void {
    try {
      this.onmessage?.(deserializeMessage(line));
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }
}

function unusedValidator(): never {
  throw new Error('This server asks for no elicitation.');
}
