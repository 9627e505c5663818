import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { deserializeMessage, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { ChildProcess } from 'node:child_process';
import { LineSplitter } from '../../src/base/lineSplitter.ts';
import { MAX_MESSAGE_LENGTH } from '../../src/protocol/messageSize.ts';
import { StdoutPurity } from './stdoutPurity.ts';

/** A real MCP client on a server process that the test has started; every line of its stdout is kept for the purity check. */
export class McpTestClient {
  readonly client: Client;
  readonly purity: StdoutPurity;
  readonly child: ChildProcess;
  readonly exited: Promise<number | null>;
  #errorText = '';

  private constructor(child: ChildProcess, client: Client) {
    this.child = child;
    this.client = client;
    this.purity = new StdoutPurity(pipesOf(child).stdout);
    pipesOf(child).stderr.on('data', (chunk: Buffer) => (this.#errorText += chunk.toString()));
    this.exited = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
  }

  static async connect(
    child: ChildProcess,
    { name = 'claude-code', roots = [] }: { name?: string; roots?: readonly string[] } = {},
  ): Promise<McpTestClient> {
    const client = new Client(
      { name, version: '1.0.0' },
      { capabilities: roots.length === 0 ? {} : { roots: {} } },
    );
    if (roots.length > 0) {
      client.setRequestHandler(ListRootsRequestSchema, () => ({
        roots: roots.map((uri) => ({ uri })),
      }));
    }
    const connected = new McpTestClient(child, client);
    await client.connect(new PipeTransport(child));
    return connected;
  }

  get stderr(): string {
    return this.#errorText;
  }

  /** Calls a tool; the answer's structured content, its text and whether it is an error. */
  async call(
    name: string,
    args: Record<string, unknown> = {},
    onProgress?: (message: string) => void,
  ) {
    const result = await this.client.callTool({ name, arguments: args }, undefined, {
      timeout: 100_000,
      ...(onProgress === undefined
        ? {}
        : { onprogress: ({ message }) => onProgress(message ?? '') }),
    });
    const [first] = result.content as { type: string; text: string }[];
    return {
      fields: result.structuredContent as Record<string, any>, // eslint-disable-line @typescript-eslint/no-explicit-any -- asserted by the tests
      text: first?.text ?? '',
      isError: result.isError === true,
      content: result.content as { type: string; uri?: string }[],
    };
  }

  /** Ends stdin, as a client that leaves does, and gives the exit code. */
  async leave(): Promise<number | null> {
    pipesOf(this.child).stdin.end();
    const code = await this.exited;
    this.purity.check();
    return code;
  }
}

function pipesOf(child: ChildProcess) {
  const { stdin, stdout, stderr } = child;
  if (stdin === null || stdout === null || stderr === null)
    throw new Error('the child has no pipes');
  return { stdin, stdout, stderr };
}

class PipeTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #child: ChildProcess;

  constructor(child: ChildProcess) {
    this.#child = child;
  }

  async start(): Promise<void> {
    const { stdout } = pipesOf(this.#child);
    const lines = new LineSplitter({
      maxLength: MAX_MESSAGE_LENGTH,
      onLine: (line) => this.onmessage?.(deserializeMessage(line)),
    });
    stdout.on('data', (chunk: Buffer) => lines.push(chunk));
    stdout.once('end', () => this.onclose?.());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    pipesOf(this.#child).stdin.write(serializeMessage(message));
  }

  async close(): Promise<void> {
    this.onclose?.();
  }
}
