import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface SeenTask {
  readonly model: string;
  readonly task: string;
  readonly atMs: number;
}

/**
 * A server of several models that answers in the Messages format and counts, for each model, how many requests it holds at once. A task
 * that says `hang` gets no answer.
 */
export async function startCountingServer(models: readonly string[], answerMs: number) {
  const live = new Map<string, number>();
  const most = new Map<string, number>();
  const seen: SeenTask[] = [];
  const server = createServer((request, response) => {
    if (request.method !== 'POST') {
      sendJson(response, request.url === '/v1/models' ? 200 : 404, {
        object: 'list',
        data: models.map((id) => ({ id, object: 'model', owned_by: 'test' })),
      });
      return;
    }
    void readText(request).then((text) => {
      const { model } = JSON.parse(text) as { model: string };
      const present = (live.get(model) ?? 0) + 1;
      live.set(model, present);
      most.set(model, Math.max(most.get(model) ?? 0, present));
      response.once('close', () => live.set(model, (live.get(model) ?? 0) - 1));
      const task = /task-\d+-\d+/.exec(text)?.[0] ?? null;
      if (task === null) {
        sendMessage(response, model, text.includes('"stream":true'), PROBE_ANSWER);
        return;
      }
      seen.push({ model, task, atMs: performance.now() });
      if (/task-\d+-\d+ hang/.test(text)) return;
      const content = [
        { type: 'text', text: `The answer to ${task} is that all is well with it.` },
      ];
      setTimeout(
        () => sendMessage(response, model, text.includes('"stream":true'), content),
        answerMs,
      );
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    most: (model: string): number => most.get(model) ?? 0,
    seen,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Block = Record<string, unknown> & { readonly type: string };

const PROBE_ANSWER: readonly Block[] = [
  { type: 'tool_use', id: 't', name: 'report_number', input: { value: 7 } },
];

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function sendMessage(
  response: ServerResponse,
  model: string,
  isStream: boolean,
  content: readonly Block[],
): void {
  const stopReason = content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
  const usage = { input_tokens: 10, output_tokens: 5 };
  const message = { id: 'm', type: 'message', role: 'assistant', model, usage };
  if (!isStream) {
    sendJson(response, 200, { ...message, content, stop_reason: stopReason });
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (event: Block): void =>
    void response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  send({ type: 'message_start', message: { ...message, content: [], stop_reason: null } });
  for (const [index, block] of content.entries()) {
    const { text, input, ...rest } = block;
    const isText = block.type === 'text';
    send({
      type: 'content_block_start',
      index,
      content_block: { ...rest, ...(isText ? { text: '' } : { input: {} }) },
    });
    send({
      type: 'content_block_delta',
      index,
      delta: isText
        ? { type: 'text_delta', text }
        : { type: 'input_json_delta', partial_json: JSON.stringify(input) },
    });
    send({ type: 'content_block_stop', index });
  }
  send({ type: 'message_delta', delta: { stop_reason: stopReason }, usage });
  send({ type: 'message_stop' });
  response.end();
}
