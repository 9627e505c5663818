import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent } from 'undici';
import type { RequestRecord } from '../../../src/bridge/gateway/requestRecord.ts';
import { type Gateway, startGateway } from '../../../src/bridge/gateway/startGateway.ts';
import { type LlamaServerOptions, startLlamaServer } from '../../support/llamaServer.ts';
import type { ServerProgram } from '../../support/serverProgram.ts';

export interface GatewaySession {
  server: ServerProgram;
  gateway: Gateway;
  records: RequestRecord[];
  dispatcher: Agent;
  /** A scratch folder: HOME and working directory of an agent. */
  folder: string;
}

/** A real server with a gateway before it, for the length of one test. */
export async function withGatewaySession(
  options: LlamaServerOptions,
  test: (session: GatewaySession) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'llama-test-'));
  const dispatcher = new Agent();
  const server = await startLlamaServer(options);
  try {
    const records: RequestRecord[] = [];
    const gateway = await startGateway({
      upstream: {
        baseUrl: server.url,
        headers: options.apiKey === undefined ? {} : { 'x-api-key': options.apiKey },
        dispatcher,
        tokenizePath: '/tokenize',
      },
      contextWindow: options.contextTokens ?? null,
      record: (record) => records.push(record),
      onActivity: () => undefined,
      idleTimeoutMs: 60_000,
      totalTimeoutMs: null,
    });
    try {
      await test({ server, gateway, records, dispatcher, folder });
    } finally {
      await gateway.close();
    }
  } finally {
    await server.stop();
    await dispatcher.close();
    await rm(folder, { recursive: true, force: true });
  }
}

export interface HttpAnswer {
  status: number;
  body: ReturnType<typeof JSON.parse>;
}

export async function postJson(url: string, body: unknown): Promise<HttpAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'not-a-key' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}
