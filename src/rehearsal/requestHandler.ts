import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Reply } from './answer.ts';
import { chatDialect } from './chatDialect.ts';
import { countTokens } from './countTokens.ts';
import type { Dialect, FinishedAnswer } from './dialect.ts';
import { metricsPage, modelsPage, propsPage, type ServedModel, tokenizePage } from './infoPages.ts';
import { asObject, asString, type JsonObject } from './json.ts';
import { messagesDialect } from './messagesDialect.ts';
import { Player } from './player.ts';
import { responsesDialect } from './responsesDialect.ts';
import { sendJson, sendOverflow, sendReply } from './sendReply.ts';
import type { Slots } from './slots.ts';

interface RehearsalRequest {
  method: string;
  /** Path without the query. */
  path: string;
  headers: IncomingMessage['headers'];
  body: JsonObject;
}

export interface RequestObservers {
  /** One line for each request that was answered. */
  log?: (line: string) => void;
  /** Sees every request before it is answered. */
  onRequest?: (request: RehearsalRequest) => void;
}

const DIALECTS: Readonly<Record<string, Dialect>> = {
  '/v1/messages': messagesDialect,
  '/v1/chat/completions': chatDialect,
  '/v1/responses': responsesDialect,
};
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** Answers the HTTP requests of one rehearsal server. */
export class RequestHandler {
  requests = 0;
  private readonly player = new Player();
  private readonly served: ServedModel;
  private readonly slots: Slots;
  private readonly observers: RequestObservers;

  constructor(served: ServedModel, slots: Slots, observers: RequestObservers) {
    this.served = served;
    this.slots = slots;
    this.observers = observers;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request;
    const [path = '/'] = url.split('?', 1);
    let played = '';
    const gone = new AbortController();
    response.on('close', () => gone.abort(new Error('The client has gone.')));
    try {
      const body = await readBody(request);
      this.observers.onRequest?.({ method, path, headers: request.headers, body: asObject(body) });
      const dialect = method === 'POST' ? DIALECTS[path] : undefined;
      if (dialect === undefined) this.page(response, method, path, asObject(body));
      else played = await this.answer(dialect, request, response, asObject(body), gone.signal);
      this.observers.log?.(`${method} ${path} ${response.statusCode}${played}`);
    } catch (error) {
      if (gone.signal.aborted) {
        this.observers.log?.(`${method} ${path} given up by the client`);
        return;
      }
      const message = error instanceof Error ? error.message : String(error);
      this.observers.log?.(`${method} ${path} failed: ${message}`);
      if (response.headersSent) response.destroy();
      else
        sendJson(response, 400, { error: { code: 400, message, type: 'invalid_request_error' } });
    }
  }

  private page(response: ServerResponse, method: string, path: string, body: JsonObject): void {
    const { served, slots } = this;
    switch (`${method} ${path}`) {
      case 'GET /v1/models':
      case 'GET /models':
        return sendJson(response, 200, modelsPage(served));
      case 'GET /health':
      case 'GET /v1/health':
        return sendJson(response, 200, { status: 'ok' });
      case 'GET /props':
        return sendJson(response, 200, propsPage(served, slots));
      case 'GET /slots':
        return sendJson(response, 200, slots.list(served.contextTokens));
      case 'GET /metrics':
        response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' });
        response.end(metricsPage(slots));
        return;
      case 'POST /tokenize':
        return sendJson(response, 200, tokenizePage(body));
      case 'POST /v1/messages/count_tokens':
        return sendJson(response, 200, {
          input_tokens: messagesDialect.read(body, null).promptTokens,
        });
      default:
        return sendJson(response, 404, {
          error: { code: 404, message: 'File Not Found', type: 'not_found_error' },
        });
    }
  }

  /** Answers for the model and says in a few words with what. */
  private async answer(
    dialect: Dialect,
    request: IncomingMessage,
    response: ServerResponse,
    body: JsonObject,
    signal: AbortSignal,
  ): Promise<string> {
    const { requiredField } = dialect;
    if (body[requiredField] === undefined) {
      sendJson(response, 400, dialect.error(400, `'${requiredField}' is required`));
      return ': nothing was asked';
    }
    this.requests++;
    const conversation = dialect.read(body, sessionOf(request));
    const { promptTokens, wantsStream } = conversation;
    const { contextTokens } = this.served;
    if (promptTokens > contextTokens) {
      sendOverflow(response, promptTokens, contextTokens);
      return ': the prompt does not fit';
    }
    return this.slots.run(async () => {
      signal.throwIfAborted();
      const startedMs = performance.now();
      const reply = this.player.reply(conversation);
      const answer = this.finish(reply, promptTokens);
      await sendReply(response, reply, answer, {
        dialect,
        request: body,
        wantsStream,
        contextTokens,
        signal,
      });
      if (response.statusCode === 200) {
        const seconds = (performance.now() - startedMs) / 1000;
        this.slots.count({ promptTokens, predictedTokens: answer.usage.outputTokens, seconds });
      }
      return `: ${reply.fault?.kind ?? reply.answer.call?.name ?? 'text'}`;
    });
  }

  private finish({ answer, fault, manners }: Reply, inputTokens: number): FinishedAnswer {
    const said = fault?.kind === 'empty' ? { thinking: null, text: null, call: null } : answer;
    const input = said.call?.input ?? '';
    const json = typeof input === 'string' ? input : JSON.stringify(input);
    const isBroken = manners.some((manner) => manner.kind === 'bad-input');
    const rawInput = isBroken ? json.slice(0, -1) : json;
    const written = (said.thinking ?? '') + (said.text ?? '') + (said.call?.name ?? '') + rawInput;
    return {
      ...said,
      rawInput,
      id: randomUUID().replaceAll('-', ''),
      model: this.served.id,
      createdS: Math.floor(Date.now() / 1000),
      usage: { inputTokens, outputTokens: countTokens(written) },
    };
  }
}

/** A header that tells sessions apart: Claude Code's, or Codex's. */
function sessionOf({ headers }: IncomingMessage): string | null {
  return asString(headers['x-claude-code-session-id']) ?? asString(headers['session-id']);
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error('The request is larger than 64 MiB.');
    chunks.push(chunk);
  }
  return size === 0 ? {} : (JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown);
}
