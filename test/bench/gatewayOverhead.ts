import { once } from 'node:events';
import { createServer, request as httpRequest, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { Agent, request } from 'undici';
import { startGateway } from '../../src/bridge/gateway/startGateway.ts';

/**
 * What the gateway costs beside a bare undici proxy: added time to first byte (a request of Claude Code's size, a short
 * streamed answer) and throughput (a long stream in pieces of one event). Both ways are measured in turn in one process; one
 * JSON object goes to stdout.
 */

const TTFB_ROUNDS = 150;
const STREAM_ROUNDS = 7;
const EVENTS = 8_000;
const BUDGET_MS = 12_000;

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

async function listen(handler: RequestListener): Promise<{ server: Server; url: string }> {
  const server = createServer(handler);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Milliseconds to the first byte of the body and to its end. */
async function ask(url: string, path: string): Promise<{ firstMs: number; totalMs: number }> {
  const started = performance.now();
  const client = httpRequest(`${url}${path}`, { method: 'POST' });
  client.end(body);
  const [answer] = (await once(client, 'response')) as [NodeJS.ReadableStream];
  let firstMs = 0;
  for await (const chunk of answer)
    if (firstMs === 0 && chunk) firstMs = performance.now() - started;
  return { firstMs, totalMs: performance.now() - started };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

const upstream = await listen((incoming, response) => {
  incoming.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(start);
    let left = incoming.url === '/v1/messages?long' ? EVENTS : 3;
    const more = (): void => {
      for (; left > 0; left -= 1) {
        if (!response.write(event)) return void response.once('drain', more);
      }
      response.end();
    };
    more();
  });
});
const agent = new Agent();
const bare = await listen((incoming, response) => {
  const forward = async (): Promise<void> => {
    const answer = await request(`${upstream.url}${incoming.url}`, {
      method: 'POST',
      body: incoming,
      dispatcher: agent,
    });
    response.writeHead(answer.statusCode, { 'content-type': 'text/event-stream' });
    await pipeline(answer.body, response);
  };
  void forward();
});
const gateway = await startGateway({
  upstream: { baseUrl: upstream.url, headers: {}, dispatcher: agent },
  contextWindow: null,
  record: () => undefined,
  onActivity: () => undefined,
  idleTimeoutMs: 60_000,
  totalTimeoutMs: null,
});

const ways = { direct: upstream.url, bare: bare.url, gateway: gateway.url };
const names = Object.keys(ways) as (keyof typeof ways)[];
const first = { direct: [] as number[], bare: [] as number[], gateway: [] as number[] };
const long = { direct: [] as number[], bare: [] as number[], gateway: [] as number[] };
const deadline = performance.now() + BUDGET_MS;
for (
  let round = -10;
  round < TTFB_ROUNDS && performance.now() < deadline - BUDGET_MS / 2;
  round += 1
) {
  for (const name of names) {
    const { firstMs } = await ask(ways[name], '/v1/messages');
    if (round >= 0) first[name].push(firstMs);
  }
}
for (let round = -1; round < STREAM_ROUNDS && performance.now() < deadline; round += 1) {
  for (const name of names) {
    const { totalMs } = await ask(ways[name], '/v1/messages?long');
    if (round >= 0) long[name].push(totalMs);
  }
}
const firstMs = {
  direct: median(first.direct),
  bare: median(first.bare),
  gateway: median(first.gateway),
};
const megabytes = (EVENTS * event.length) / 2 ** 20;
const mbPerS = (name: keyof typeof ways): number => megabytes / (median(long[name]) / 1000);
console.log(
  JSON.stringify({
    name: 'gateway',
    first_byte: {
      n: first.gateway.length,
      median_ms: firstMs,
      ratio_to_bare: firstMs.gateway / firstMs.bare,
      added_ms: firstMs.gateway - firstMs.bare,
    },
    throughput: {
      n: long.gateway.length,
      mb_per_s: { direct: mbPerS('direct'), bare: mbPerS('bare'), gateway: mbPerS('gateway') },
      ratio_to_bare: mbPerS('gateway') / mbPerS('bare'),
    },
  }),
);
await gateway.close();
bare.server.close();
upstream.server.close();
await agent.destroy();
