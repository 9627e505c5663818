import { readFileSync } from 'node:fs';
import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { guardedDispatcher } from '../../../../src/bridge/endpoints/egressGuard.ts';
import type { EndpointTarget } from '../../../../src/bridge/endpoints/endpointTarget.ts';

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | object;
}

/** By `METHOD /path?query`, else by `METHOD /path`; a function may answer late, never, or by the request's body. */
export type Routes = Readonly<
  Record<string, Answer | ((body: unknown, response: ServerResponse) => Answer | null)>
>;

export interface SeenRequest {
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** A real HTTP server on loopback that gives recorded answers and keeps what it was asked. */
export class ReplayServer {
  readonly seen: SeenRequest[] = [];
  readonly #server: Server;
  readonly #targets: EndpointTarget[] = [];

  private constructor(routes: Routes) {
    this.#server = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8');
      request.on('data', (chunk: string) => (text += chunk));
      request.on('end', () => {
        const line = `${request.method} ${request.url}`;
        const body: unknown = text === '' ? null : JSON.parse(text);
        this.seen.push({ line, headers: request.headers, body });
        const route = routes[line] ?? routes[line.replace(/\?.*$/, '')] ?? NOT_FOUND;
        const answer = typeof route === 'function' ? route(body, response) : route;
        if (answer === null) return;
        const content = answer.body ?? '';
        response.writeHead(answer.status ?? 200, {
          'content-type': 'application/json',
          ...answer.headers,
        });
        response.end(typeof content === 'string' ? content : JSON.stringify(content));
      });
    });
  }

  static async start(routes: Routes, host = '127.0.0.1'): Promise<ReplayServer> {
    const server = new ReplayServer(routes);
    await new Promise<void>((resolve, reject) => {
      server.#server.once('error', reject);
      server.#server.listen(0, host, resolve);
    });
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  target(overrides: Partial<EndpointTarget> = {}): EndpointTarget {
    const target = targetAt(this.url, overrides);
    this.#targets.push(target);
    return target;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#targets.map((target) => target.dispatcher.destroy()));
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

export function targetAt(baseUrl: string, overrides: Partial<EndpointTarget> = {}): EndpointTarget {
  return {
    name: 'tower',
    baseUrl,
    backend: 'other',
    format: 'auto',
    headers: {},
    dispatcher: guardedDispatcher({ policy: 'local-only' }),
    ...overrides,
  };
}

/** A body recorded from a real llama-server. */
export function recorded(name: string): string {
  return readFileSync(`test/fixtures/endpoints/llama-server/${name}`, 'utf8');
}

const NOT_FOUND: Answer = { status: 404, body: recorded('error-404.json') };
