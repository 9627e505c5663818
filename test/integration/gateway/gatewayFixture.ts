import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent } from 'undici';
import type { GatewayOptions } from '../../../src/bridge/gateway/gatewayOptions.ts';
import type { RequestRecord } from '../../../src/bridge/gateway/requestRecord.ts';
import { startGateway, type Gateway } from '../../../src/bridge/gateway/startGateway.ts';

export type Answer = (request: IncomingMessage, body: string, response: ServerResponse) => void;

/** A gateway in front of an HTTP server that a test scripts; both real, on loopback. */
export class GatewayFixture {
  readonly records: RequestRecord[] = [];
  readonly gateway: Gateway;
  activity = 0;
  readonly #server: Server;
  readonly #agent: Agent;
  readonly #waiting: ((record: RequestRecord) => void)[] = [];

  private constructor(server: Server, agent: Agent, start: (self: GatewayFixture) => Gateway) {
    this.#server = server;
    this.#agent = agent;
    this.gateway = start(this);
  }

  static async start(
    answer: Answer,
    options: Partial<GatewayOptions> & { tokenizePath?: '/tokenize' } = {},
  ): Promise<GatewayFixture> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => answer(request, Buffer.concat(chunks).toString(), response));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const agent = new Agent();
    let fixture: GatewayFixture | null = null;
    const gateway = await startGateway({
      upstream: {
        baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        headers: { 'x-api-key': 'of-the-endpoint' },
        dispatcher: agent,
        tokenizePath: options.tokenizePath ?? null,
      },
      contextWindow: null,
      record: (record) => fixture?.push(record),
      onActivity: () => {
        if (fixture) fixture.activity += 1;
      },
      idleTimeoutMs: 10_000,
      totalTimeoutMs: null,
      ...options,
    });
    fixture = new GatewayFixture(server, agent, () => gateway);
    return fixture;
  }

  push(record: RequestRecord): void {
    this.records.push(record);
    this.#waiting.splice(0).forEach((resolve) => resolve(record));
  }

  /** The next record that is written. */
  nextRecord(): Promise<RequestRecord> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  post(path: string, body: unknown, init: RequestInit = {}): Promise<Response> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const headers = { 'content-type': 'application/json', authorization: 'Bearer of-the-client' };
    return fetch(this.gateway.url + path, { method: 'POST', body: text, headers, ...init });
  }

  async close(): Promise<void> {
    // A test may have closed it itself, and looked at what it throws.
    await Promise.allSettled([this.gateway.close()]);
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await this.#agent.destroy();
  }
}
