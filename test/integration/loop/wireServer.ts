import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { guardedDispatcher } from '../../../src/bridge/endpoints/egressGuard.ts';
import type { EndpointTarget } from '../../../src/bridge/endpoints/endpointTarget.ts';

export interface WireRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

export type Respond = (response: ServerResponse, request: WireRequest) => void;

/** A real HTTP server on loopback that answers as the test says, and knows what became of its connections. */
export class WireServer {
  readonly seen: WireRequest[] = [];
  connections = 0;
  readonly #open = new Set<Socket>();
  readonly #server: Server;
  readonly #waiting: (() => void)[] = [];
  readonly #targets: EndpointTarget[] = [];

  private constructor(respond: Respond) {
    this.#server = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8');
      request.on('data', (chunk: string) => (text += chunk));
      request.on('end', () => {
        const body = JSON.parse(text) as Record<string, unknown>;
        const seen = { path: request.url ?? '', headers: request.headers, body };
        this.seen.push(seen);
        respond(response, seen);
        this.#changed();
      });
    });
    this.#server.on('connection', (socket) => {
      this.connections += 1;
      this.#open.add(socket);
      socket.on('close', () => {
        this.#open.delete(socket);
        this.#changed();
      });
      this.#changed();
    });
  }

  static async start(respond: Respond, host = '127.0.0.1'): Promise<WireServer> {
    const server = new WireServer(respond);
    await new Promise<void>((resolve, reject) => {
      server.#server.once('error', reject);
      server.#server.listen(0, host, resolve);
    });
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get openConnections(): number {
    return this.#open.size;
  }

  target(overrides: Partial<EndpointTarget> = {}): EndpointTarget {
    const target: EndpointTarget = {
      name: 'tower',
      baseUrl: `http://127.0.0.1:${this.port}`,
      backend: 'other',
      format: 'auto',
      headers: {},
      dispatcher: guardedDispatcher({ policy: 'local-only' }),
      ...overrides,
    };
    this.#targets.push(target);
    return target;
  }

  /** Resolves as soon as that is so; the time limit of the test is the limit. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#targets.map((target) => target.dispatcher.destroy()));
    this.#server.closeAllConnections();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }

  #changed(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

export function sse(...events: readonly object[]): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
}

/** A chunk of chat completions with a piece of text. */
export function piece(content: string): object {
  return { model: 'served', choices: [{ index: 0, delta: { content } }] };
}

export const END = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
export const STREAM = { 'content-type': 'text/event-stream' };
