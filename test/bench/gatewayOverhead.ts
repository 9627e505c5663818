import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { Agent, request } from 'undici';
import { startGateway } from '../../src/bridge/gateway/startGateway.ts';
import type { Figure } from './figure.ts';

const FIRST_BYTES_PER_RUN = 30;
const LONG_EVENTS = 20_000;
const event = `event: content_block_delta\ndata: ${JSON.stringify({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'text_delta', text: 'about one token of text' },
})}\n\n`;
const start = `event: message_start\ndata: {"type":"message_start","message":{"model":"m","usage":{"input_tokens":9}}}\n\n`;
const body = JSON.stringify({
  model: 'm',
  stream: true,
  messages: Array.from({ length: 40 }, (_, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content: [{ type: 'text', text: `${at} ${'x'.repeat(1000)}` }],
  })),
});

/**
 * What the gateway costs beside a bare undici proxy (no parsing, no rewrites, no records). Time to first
 * byte: a request of 40 messages and 40 kB, 30 per run; the endpoint answers at once, where a real one computes for a second.
 * Throughput: an answer of 20 000 events (2.5 MB) in small writes, one per run. Client and proxies share a thread, the endpoint has
 * its own. In turn, the first run not counted.
 */
export async function gatewayOverhead(runs: number): Promise<Figure[]> {
  const endpoint = new Worker(new URL('endpointThread.ts', import.meta.url), {
    workerData: { start, event, longEvents: LONG_EVENTS },
  });
  const [baseUrl] = (await once(endpoint, 'message')) as [string];
  const agent = new Agent();
  const bare = await bareProxy(baseUrl, agent);
  const gateway = await startGateway({
    upstream: { baseUrl, headers: {}, dispatcher: agent },
    contextWindow: null,
    record: () => undefined,
    onActivity: () => undefined,
    idleTimeoutMs: 60_000,
    totalTimeoutMs: null,
  });
  const first = { ours: [] as number[], bare: [] as number[] };
  const long = { ours: [] as number[], bare: [] as number[] };
  try {
    for (let run = -1; run < runs; run += 1) {
      for (let n = 0; n < FIRST_BYTES_PER_RUN; n += 1) {
        const ours = await ask(`${gateway.url}/v1/messages`);
        const plain = await ask(`${bare.url}/v1/messages`);
        if (run < 0) continue;
        first.ours.push(ours.firstMs);
        first.bare.push(plain.firstMs);
      }
      const ours = await ask(`${gateway.url}/v1/messages?long`);
      const plain = await ask(`${bare.url}/v1/messages?long`);
      if (run < 0) continue;
      long.ours.push(megabytesPerS(ours));
      long.bare.push(megabytesPerS(plain));
    }
  } finally {
    await gateway.close();
    bare.close();
    await agent.destroy();
    await endpoint.terminate();
  }
  const what = 'a bare undici proxy';
  return [
    {
      name: 'gateway, time to first byte',
      unit: 'ms',
      ours: first.ours,
      beside: { what, values: first.bare },
    },
    {
      name: 'gateway, throughput',
      unit: 'MB/s',
      ours: long.ours,
      beside: { what, values: long.bare },
    },
  ];
}

async function bareProxy(baseUrl: string, dispatcher: Agent) {
  const server = createServer((incoming, response) => {
    const forward = async (): Promise<void> => {
      const answer = await request(`${baseUrl}${incoming.url}`, {
        method: 'POST',
        body: incoming,
        dispatcher,
      });
      response.writeHead(answer.statusCode, { 'content-type': 'text/event-stream' });
      // Not pipeline(): read like this, chunks that have come together go on as one, which is several times faster.
      for await (const chunk of answer.body) {
        if (!response.write(chunk)) await once(response, 'drain');
      }
      response.end();
    };
    forward().catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Timing {
  readonly firstMs: number;
  readonly totalMs: number;
  readonly sizeBytes: number;
}

/** Time to the first byte of the answer's body and to its end, on a connection that is kept. */
async function ask(url: string): Promise<Timing> {
  const startedMs = performance.now();
  const client = httpRequest(url, { method: 'POST' });
  client.end(body);
  const [answer] = (await once(client, 'response')) as [NodeJS.ReadableStream];
  let firstMs: number | null = null;
  let sizeBytes = 0;
  for await (const chunk of answer) {
    firstMs ??= performance.now() - startedMs;
    sizeBytes += (chunk as Buffer).length;
  }
  if (firstMs === null) throw new Error('the answer was empty');
  return { firstMs, totalMs: performance.now() - startedMs, sizeBytes };
}

function megabytesPerS({ sizeBytes, totalMs }: Timing): number {
  return sizeBytes / 2 ** 20 / (totalMs / 1000);
}
