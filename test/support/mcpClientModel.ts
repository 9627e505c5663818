import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ModelCall {
  readonly name: string;
  readonly input: Record<string, unknown>;
}

export interface ModelRequest {
  readonly tools: readonly { readonly name: string }[];
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

/** A model that calls the given tools one after the other and then says "done": for clients whose tools the rehearsal server does not know. */
export async function startCallingModel(calls: readonly ModelCall[]) {
  const requests: ModelRequest[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      if (request.url?.startsWith('/v1/messages?') !== true && request.url !== '/v1/messages') {
        response.writeHead(404).end();
        return;
      }
      const body = JSON.parse(text) as ModelRequest;
      const call = body.tools.length === 0 ? undefined : calls[resultsIn(body)];
      if (body.tools.length > 0) requests.push(body);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of eventsOf(call, requests.length)) {
        response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      }
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function resultsIn({ messages }: ModelRequest): number {
  return JSON.stringify(messages).split('"type":"tool_result"').length - 1;
}

function eventsOf(
  call: ModelCall | undefined,
  index: number,
): { type: string; [field: string]: unknown }[] {
  const usage = { input_tokens: 10, output_tokens: 5 };
  const [block, delta, reason] =
    call === undefined
      ? [{ type: 'text', text: '' }, { type: 'text_delta', text: 'done' }, 'end_turn']
      : [
          { type: 'tool_use', id: `toolu_${index}`, name: call.name, input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify(call.input) },
          'tool_use',
        ];
  const message = {
    id: `msg_${index}`,
    type: 'message',
    role: 'assistant',
    model: 'calling',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  return [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ];
}
