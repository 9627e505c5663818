// The only import of the MCP SDK on the client side. It is part of the bundle that is loaded at the first start of the server.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { deserializeMessage, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  type JSONRPCMessage,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Readable, Writable } from 'node:stream';
import { LineSplitter } from '../../base/lineSplitter.ts';
import { MAX_MESSAGE_LENGTH } from '../../protocol/messageSize.ts';

/** The pipes of a process that is already there: whoever spawned it owns its end. */
class PipeTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #stdin: Writable;
  readonly #stdout: Readable;

  constructor(stdin: Writable, stdout: Readable) {
    this.#stdin = stdin;
    this.#stdout = stdout;
  }

  async start(): Promise<void> {
    // The SDK's own buffer copies itself with every chunk and holds less than a large file.
    const lines = new LineSplitter({
      maxLength: MAX_MESSAGE_LENGTH,
      onLine: (line) => this.#read(line),
      onTooLong: (length) =>
        this.onerror?.(new Error(`A message of ${length} characters was left out.`)),
    });
    this.#stdout.on('data', (chunk: Buffer) => lines.push(chunk));
    this.#stdout.once('end', () => this.onclose?.());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#stdin.write(serializeMessage(message));
  }

  async close(): Promise<void> {
    this.onclose?.();
  }

  /** A line that is not JSON-RPC is reported and left out; the next line may be fine. */
  #read(line: string): void {
    try {
      this.onmessage?.(deserializeMessage(line));
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }
}

/** A server that has greeted, as raw protocol: what its answers hold is for the caller to check. */
export interface McpSession {
  readonly serverVersion: string;
  /** The structured content of the answer, whatever it is. Rejects when the server is gone or refuses the call itself. */
  callTool(name: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<unknown>;
  subscribe(uri: string): Promise<void>;
  unsubscribe(uri: string): Promise<void>;
}

/** Longer than any call may take: a gate can run for hours, and whoever waits can cancel. */
const CALL_TIMEOUT_MS = 24 * 3600 * 1000;

/** Greets the server at the other end of the pipes. Rejects when it does not answer in time, or not in the protocol. */
export async function connectMcpClient(options: {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly clientVersion: string;
  readonly timeoutMs: number;
  readonly onProtocolError: (error: Error) => void;
  readonly onResourceUpdated: (uri: string) => void;
}): Promise<McpSession> {
  const client = new Client({ name: 'delegation-bridge-vscode', version: options.clientVersion });
  client.onerror = options.onProtocolError;
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) =>
    options.onResourceUpdated(params.uri),
  );
  await client.connect(new PipeTransport(options.stdin, options.stdout), {
    timeout: options.timeoutMs,
  });
  return {
    serverVersion: client.getServerVersion()?.version ?? 'unknown',
    callTool: async (name, args, signal) => {
      const limits = { timeout: CALL_TIMEOUT_MS, ...(signal === undefined ? {} : { signal }) };
      const answer = await client.callTool({ name, arguments: args }, undefined, limits);
      return answer.structuredContent;
    },
    subscribe: async (uri) => void (await client.subscribeResource({ uri })),
    unsubscribe: async (uri) => void (await client.unsubscribeResource({ uri })),
  };
}
