import type { Dispatcher } from 'undici';
import { retryAfter } from '../endpoints/retryAfter.ts';
import { countTokens, type Tokenizer } from './countTokens.ts';
import type { Exchange } from './exchange.ts';
import type { GatewayOptions } from './gatewayOptions.ts';
import { requestHeaders } from './headers.ts';
import { isJsonObject, type JsonObject } from './jsonObject.ts';
import type { MessageReading } from './messageReading.ts';
import type { PrefixMeter } from './prefixMeter.ts';
import { prepareRequest } from './prepareRequest.ts';
import { readBody } from './readBody.ts';
import { relayAnswer } from './relayAnswer.ts';
import type { GatewayRoute } from './route.ts';
import { sendUpstream } from './sendUpstream.ts';
import { upstreamError } from './upstreamError.ts';

const BODY_LIMIT_BYTES = 64 * 2 ** 20;
/** How servers say that they do not know `count_tokens`. */
const LACKS_COUNT_TOKENS = new Set([404, 405, 501]);

/**
 * Carries one request to the endpoint and its answer back; fills the record. Never throws for what a client or an endpoint
 * did: the client is told, and the record says it.
 */
export async function carryRequest(
  exchange: Exchange,
  route: Exclude<GatewayRoute, 'alive'>,
  options: GatewayOptions,
  prefixes: PrefixMeter,
): Promise<void> {
  try {
    if (route === 'models') {
      await relayAnswer(exchange, await send(exchange, options, null), options);
      return;
    }
    const bytes = await readBody(exchange.request, options.bodyLimitBytes ?? BODY_LIMIT_BYTES);
    exchange.record.bytesIn = bytes.length;
    const prepared = prepareRequest(bytes, options.isRewriting ?? true);
    exchange.record.rewrites = prepared.rewrites;
    noteRequest(exchange, prepared.body);
    options.dump?.(prepared.bytes.toString('utf8'));
    const answering = send(exchange, options, prepared.bytes);
    // The endpoint reads the prompt meanwhile; should the measure throw, the catch below ends the request.
    answering.catch(() => undefined);
    if (route === 'messages') Object.assign(exchange.record, prefixes.measure(prepared.body));
    const answer = await answering;
    if (route === 'messages') {
      noteAnswer(exchange, await relayAnswer(exchange, answer, options));
    } else if (LACKS_COUNT_TOKENS.has(answer.statusCode)) {
      await answer.body.dump();
      const tokenize = tokenizer(exchange, options);
      const { inputTokens, source } = await countTokens(prepared.body, tokenize);
      exchange.record.countSource = source;
      exchange.answer(200, JSON.stringify({ input_tokens: inputTokens }));
    } else {
      const reading = await relayAnswer(exchange, answer, options);
      if (reading.error === null) exchange.record.countSource = 'endpoint';
      else noteError(exchange, reading.error);
    }
  } catch (error) {
    const reason: unknown = exchange.signal.aborted ? exchange.signal.reason : error;
    const failure = upstreamError(reason, options.upstream.baseUrl, exchange.isCarried);
    exchange.fail(failure);
    exchange.end(failure);
  }
}

async function send(
  exchange: Exchange,
  options: GatewayOptions,
  body: Buffer | null,
): Promise<Dispatcher.ResponseData> {
  const { upstream } = options;
  const headers = requestHeaders(exchange.request.headers, upstream.headers);
  const { signal, record } = exchange;
  const answer = await sendUpstream(upstream, record.path, { headers, body, signal });
  exchange.isCarried = true;
  record.retryAfterS = retryAfter(answer.headers, Date.now());
  exchange.touch(false);
  return answer;
}

/** The endpoint's own tokenizer; null when it has none. */
function tokenizer(exchange: Exchange, { upstream }: GatewayOptions): Tokenizer | null {
  const path = upstream.tokenizePath ?? null;
  if (path === null) return null;
  return async (text) => {
    const answer = await sendUpstream(upstream, path, {
      headers: { ...requestHeaders({}, upstream.headers), 'content-type': 'application/json' },
      body: JSON.stringify({ content: text }),
      signal: exchange.signal,
    });
    exchange.touch(false);
    if (answer.statusCode !== 200) {
      await answer.body.dump();
      return null;
    }
    return tokenCount(await answer.body.text());
  };
}

/** The length of `{"tokens": […]}`; null for any other text, as from a server that answers every path with a page. */
function tokenCount(text: string): number | null {
  try {
    const document: unknown = JSON.parse(text);
    const tokens = isJsonObject(document) ? document['tokens'] : null;
    return Array.isArray(tokens) ? tokens.length : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function noteRequest({ record }: Exchange, body: JsonObject): void {
  record.messages = Array.isArray(body['messages']) ? body['messages'].length : null;
  record.tools = Array.isArray(body['tools']) ? body['tools'].length : 0;
  record.stream = body['stream'] === true;
  record.modelAsked = typeof body['model'] === 'string' ? body['model'] : null;
}

function noteAnswer(exchange: Exchange, reading: MessageReading): void {
  const { record } = exchange;
  record.modelAnswered = reading.model;
  record.stopReason = reading.stopReason;
  record.usage = reading.usage;
  if (reading.error !== null) noteError(exchange, reading.error);
  else if (!reading.isComplete) {
    record.error = { kind: 'incomplete', message: 'The answer ended before it was complete.' };
  }
}

function noteError({ record }: Exchange, error: JsonObject): void {
  const { message } = error;
  const text = typeof message === 'string' ? message : JSON.stringify(error);
  const kind =
    record.contextExceeded !== null
      ? 'context_overflow'
      : record.status === 401 || record.status === 403
        ? 'auth_failed'
        : record.status === 429
          ? 'rate_limited'
          : 'backend_error';
  record.error = { kind, message: text.slice(0, 800) };
}
