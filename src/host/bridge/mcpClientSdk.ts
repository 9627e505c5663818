// The only import of the MCP SDK on the client side. It is a bundle of its own, loaded at the first start of the server.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Readable, Writable } from 'node:stream';

/** The pipes of a process that is already there: whoever spawned it owns its end. */
class PipeTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #readBuffer = new ReadBuffer();
  readonly #stdin: Writable;
  readonly #stdout: Readable;

  constructor(stdin: Writable, stdout: Readable) {
    this.#stdin = stdin;
    this.#stdout = stdout;
  }

  async start(): Promise<void> {
    this.#stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#stdout.once('end', () => this.onclose?.());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#stdin.write(serializeMessage(message));
  }

  async close(): Promise<void> {
    this.onclose?.();
  }

  #read(chunk: Buffer): void {
    try {
      this.#readBuffer.append(chunk);
    } catch (error) {
      this.onerror?.(error as Error);
      return;
    }
    for (;;) {
      try {
        const message = this.#readBuffer.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      } catch (error) {
        // A line that is not JSON-RPC is reported and left out; the next line may be fine.
        this.onerror?.(error as Error);
      }
    }
  }
}

/**
 * Greets the server at the other end of the pipes and returns its version.
 * Rejects when it does not answer in time, or not in the protocol.
 */
export async function connectMcpClient(options: {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly clientVersion: string;
  readonly timeoutMs: number;
  readonly onProtocolError: (error: Error) => void;
}): Promise<{ readonly serverVersion: string }> {
  const client = new Client({ name: 'delegation-bridge-vscode', version: options.clientVersion });
  client.onerror = options.onProtocolError;
  await client.connect(new PipeTransport(options.stdin, options.stdout), {
    timeout: options.timeoutMs,
  });
  return { serverVersion: client.getServerVersion()?.version ?? 'unknown' };
}
