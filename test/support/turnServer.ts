import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WireFormat } from '../../src/bridge/endpoints/endpointTarget.ts';

export interface SaidCall {
  readonly name: string;
  /** An object, or the text of the arguments as it goes over the wire. */
  readonly input: Readonly<Record<string, unknown>> | string;
}

/** One answer of the model. */
export interface Said {
  readonly text?: string;
  readonly thinking?: string;
  readonly calls?: readonly SaidCall[];
  /** In the format's own word; default: what fits. Null: the stream ends without one. */
  readonly stop?: string | null;
  /** Null: nothing is reported. */
  readonly usage?: { readonly input: number; readonly output: number } | null;
  readonly model?: string;
}

export interface SaidStatus {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly message?: string;
}

/** Whatever the test does with the connection itself. */
export type Freehand = (response: ServerResponse) => void | Promise<void>;
export type TurnStep = Said | SaidStatus | Freehand;

export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as it came. */
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export type TurnServer = Awaited<ReturnType<typeof turnServer>>;

/**
 * A model server whose answers a test says, one for each request in order; a request more is an error of the test and is answered so
 * that it cannot be taken for anything else. `step` is a list, or a function of the request and its number.
 */
export async function turnServer(
  format: WireFormat,
  steps: readonly TurnStep[] | ((request: SeenRequest, at: number) => TurnStep),
) {
  const requests: SeenRequest[] = [];
  const server = createServer((incoming, response) => {
    const answer = async (): Promise<void> => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString('utf8');
      const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
      const seen = { path: incoming.url ?? '', headers: incoming.headers, text, body };
      requests.push(seen);
      const at = requests.length - 1;
      const step = typeof steps === 'function' ? steps(seen, at) : steps[at];
      if (step === undefined) {
        response.writeHead(418).end(`nothing was said for request ${at + 1}`);
      } else if (typeof step === 'function') await step(response);
      else if ('status' in step) {
        response.writeHead(step.status, { 'content-type': 'application/json', ...step.headers });
        response.end(
          JSON.stringify({
            error: { type: 'error', message: step.message ?? `HTTP ${step.status}` },
          }),
        );
      } else {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end((format === 'anthropic' ? messagesEvents : chatEvents)(step, at));
      }
    };
    answer().catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function rawInput({ input }: SaidCall): string {
  return typeof input === 'string' ? input : JSON.stringify(input);
}

function messagesEvents(said: Said, at: number): string {
  const { usage = { input: 100, output: 10 }, calls = [], model = 'm' } = said;
  const events: Record<string, unknown>[] = [
    {
      type: 'message_start',
      message: { model, ...(usage === null ? {} : { usage: { input_tokens: usage.input } }) },
    },
  ];
  let index = 0;
  const block = (start: Record<string, unknown>, ...deltas: Record<string, unknown>[]): void => {
    events.push({ type: 'content_block_start', index, content_block: start });
    for (const delta of deltas) events.push({ type: 'content_block_delta', index, delta });
    events.push({ type: 'content_block_stop', index });
    index += 1;
  };
  if (said.thinking !== undefined)
    block(
      { type: 'thinking', thinking: '' },
      { type: 'thinking_delta', thinking: said.thinking },
      { type: 'signature_delta', signature: 'signed' },
    );
  if (said.text !== undefined)
    block({ type: 'text', text: '' }, { type: 'text_delta', text: said.text });
  for (const [number, call] of calls.entries()) {
    block(
      { type: 'tool_use', id: `call-${at}-${number}`, name: call.name, input: {} },
      { type: 'input_json_delta', partial_json: rawInput(call) },
    );
  }
  const stop = said.stop === undefined ? (calls.length > 0 ? 'tool_use' : 'end_turn') : said.stop;
  if (stop !== null) {
    events.push({
      type: 'message_delta',
      delta: { stop_reason: stop },
      ...(usage === null ? {} : { usage: { output_tokens: usage.output } }),
    });
    events.push({ type: 'message_stop' });
  }
  return events
    .map((event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
}

function chatEvents(said: Said, at: number): string {
  const { usage = { input: 100, output: 10 }, calls = [], model = 'm' } = said;
  const chunks: Record<string, unknown>[] = [];
  const delta = (value: Record<string, unknown>, finish: string | null = null): void => {
    chunks.push({ model, choices: [{ index: 0, delta: value, finish_reason: finish }] });
  };
  if (said.thinking !== undefined) delta({ reasoning_content: said.thinking });
  if (said.text !== undefined) delta({ content: said.text });
  for (const [index, call] of calls.entries()) {
    const fn = { name: call.name, arguments: rawInput(call) };
    delta({ tool_calls: [{ index, id: `call-${at}-${index}`, type: 'function', function: fn }] });
  }
  const stop = said.stop === undefined ? (calls.length > 0 ? 'tool_calls' : 'stop') : said.stop;
  if (stop !== null) delta({}, stop);
  if (usage !== null) {
    const { input, output } = usage;
    chunks.push({ model, choices: [], usage: { prompt_tokens: input, completion_tokens: output } });
  }
  const done = stop === null ? '' : 'data: [DONE]\n\n';
  return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}${done}`;
}
