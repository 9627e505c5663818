import { request, type Dispatcher } from 'undici';
import { BridgeError } from '../../base/bridgeError.ts';
import { countTokens } from './countTokens.ts';
import type { Exchange } from './exchange.ts';
import type { GatewayOptions, Upstream } from './gatewayOptions.ts';
import { requestHeaders } from './headers.ts';
import { isJsonObject, type JsonObject } from './jsonObject.ts';
import type { MessageReading } from './messageReading.ts';
import type { PrefixMeter } from './prefix.ts';
import { readBody } from './readBody.ts';
import { relayAnswer } from './relayAnswer.ts';
import { rewriteRequest } from './rewriteRequest.ts';
import type { GatewayRoute } from './route.ts';
import { upstreamError } from './upstreamError.ts';

const BODY_LIMIT_BYTES = 64 * 2 ** 20;
const LACKS_COUNT_TOKENS = new Set([404, 405, 501]);

/**
 * Carries one request to the endpoint and its answer back; fills the record. Never throws for what a client or an endpoint
 * did: the client is told and the record says it.
 */
export async function carryRequest(
  exchange: Exchange,
  route: Exclude<GatewayRoute, 'alive'>,
  options: GatewayOptions,
  prefixes: PrefixMeter,
): Promise<void> {
  const progress = { isBetweenEvents: false };
  try {
    const prepared = await prepare(exchange, route, options, prefixes);
    const answer = await send(exchange, options.upstream, prepared.bytes);
    exchange.isCarried = true;
    exchange.touch(false);
    if (route === 'count_tokens' && prepared.body !== null) {
      if (LACKS_COUNT_TOKENS.has(answer.statusCode)) {
        await answer.body.dump();
        return await countHere(exchange, prepared.body, options.upstream);
      }
      exchange.record.countSource = 'endpoint';
    }
    const reading = await relayAnswer(exchange, answer, options.contextWindow, progress);
    if (route === 'messages') note(exchange, reading);
  } catch (error) {
    const { signal } = exchange;
    const reason: unknown = signal.aborted ? signal.reason : error;
    const { origin } = new URL(options.upstream.baseUrl);
    exchange.fail(upstreamError(reason, origin, exchange.isCarried), progress.isBetweenEvents);
  }
}

async function prepare(
  exchange: Exchange,
  route: GatewayRoute,
  options: GatewayOptions,
  prefixes: PrefixMeter,
): Promise<{ bytes: Buffer | null; body: JsonObject | null }> {
  if (route === 'models') return { bytes: null, body: null };
  const bytes = await readBody(exchange.request, options.bodyLimitBytes ?? BODY_LIMIT_BYTES);
  const { record } = exchange;
  record.bytesIn = bytes.length;
  const asked = parseBody(bytes);
  record.messages = Array.isArray(asked['messages']) ? asked['messages'].length : null;
  record.tools = Array.isArray(asked['tools']) ? asked['tools'].length : 0;
  record.stream = asked['stream'] === true;
  record.modelAsked = typeof asked['model'] === 'string' ? asked['model'] : null;
  const isRewriting = options.isRewriting ?? true;
  const { body, rewrites } = isRewriting ? rewriteRequest(asked) : { body: asked, rewrites: null };
  record.rewrites = rewrites;
  const prefix = route === 'messages' ? prefixes.measure(body) : null;
  record.commonPrefixBytes = prefix?.commonPrefixBytes ?? null;
  record.prevBytes = prefix?.prevBytes ?? null;
  const sent = isRewriting ? Buffer.from(JSON.stringify(body)) : bytes;
  options.dump?.(sent.toString('utf8'));
  return { bytes: sent, body };
}

function parseBody(bytes: Buffer): JsonObject {
  let body: unknown;
  try {
    body = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new BridgeError('bad_argument', 'The request body is not valid JSON.', { cause: error });
  }
  if (!isJsonObject(body))
    throw new BridgeError('bad_argument', 'The request body is not a JSON object.');
  return body;
}

function send(
  exchange: Exchange,
  upstream: Upstream,
  body: Buffer | null,
): Promise<Dispatcher.ResponseData> {
  return request(`${upstream.baseUrl.replace(/\/+$/, '')}${exchange.record.path}`, {
    dispatcher: upstream.dispatcher,
    method: body === null ? 'GET' : 'POST',
    headers: requestHeaders(exchange.request.headers, upstream.headers),
    body,
    signal: exchange.signal,
    // undici ends silent streams after 300 s by default; the exchange has limits of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

async function countHere(exchange: Exchange, body: JsonObject, upstream: Upstream): Promise<void> {
  const path = upstream.tokenizePath ?? null;
  const tokenize =
    path === null ? null : (text: string) => tokenizeAt(exchange, upstream, path, text);
  const { inputTokens, source } = await countTokens(body, tokenize);
  exchange.record.countSource = source;
  exchange.answer(200, JSON.stringify({ input_tokens: inputTokens }));
}

async function tokenizeAt(
  exchange: Exchange,
  upstream: Upstream,
  path: string,
  text: string,
): Promise<number | null> {
  const answer = await request(`${upstream.baseUrl.replace(/\/+$/, '')}${path}`, {
    dispatcher: upstream.dispatcher,
    method: 'POST',
    headers: {
      ...upstream.headers,
      'content-type': 'application/json',
      'accept-encoding': 'identity',
    },
    body: JSON.stringify({ content: text }),
    signal: exchange.signal,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  exchange.touch(false);
  if (answer.statusCode !== 200) {
    await answer.body.dump();
    return null;
  }
  const document: unknown = await answer.body.json();
  return isJsonObject(document) && Array.isArray(document['tokens'])
    ? document['tokens'].length
    : null;
}

function note(exchange: Exchange, reading: MessageReading): void {
  const { record } = exchange;
  record.modelAnswered = reading.model;
  record.stopReason = reading.stopReason;
  record.usage = reading.usage;
  if (reading.error !== null) {
    const { message } = reading.error;
    const text = typeof message === 'string' ? message : JSON.stringify(reading.error);
    record.error = { kind: errorKind(exchange), message: text.slice(0, 800) };
  } else if (!reading.isComplete) {
    record.error = { kind: 'incomplete', message: 'The answer ended before it was complete.' };
  }
}

function errorKind({
  record,
}: Exchange): 'context_overflow' | 'auth_failed' | 'rate_limited' | 'backend_error' {
  if (record.contextExceeded !== null) return 'context_overflow';
  if (record.status === 401 || record.status === 403) return 'auth_failed';
  return record.status === 429 ? 'rate_limited' : 'backend_error';
}
