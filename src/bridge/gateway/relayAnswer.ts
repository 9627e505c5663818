import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { BridgeError } from '../../base/bridgeError.ts';
import type { Exchange } from './exchange.ts';
import { responseHeaders } from './headers.ts';
import { MessageReading } from './messageReading.ts';
import type { GatewayOptions } from './gatewayOptions.ts';
import { translateOverflow } from './overflow.ts';
import { SseErrorTranslator } from './sseErrorTranslator.ts';
import { SseTap } from './sseTap.ts';

/** Errors and answers that are not streamed are read along up to this size. */
const MAX_READ_BYTES = 4 * 2 ** 20;
const DECODERS = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * Passes the endpoint's answer to the client as it comes, never whole, and returns what it says about itself.
 *
 * @throws what the connection throws, and BridgeError `backend_error` for a redirect.
 */
export async function relayAnswer(
  exchange: Exchange,
  answer: Dispatcher.ResponseData,
  options: Pick<GatewayOptions, 'contextWindow' | 'redact'>,
): Promise<MessageReading> {
  // Whoever reads the body gets its errors; an abort between two reads must not become an uncaught one.
  answer.body.on('error', () => undefined);
  if (answer.statusCode >= 300 && answer.statusCode < 400) {
    await answer.body.dump();
    throw new BridgeError(
      'backend_error',
      `The model server answered with a redirect (${answer.statusCode}).`,
      {
        hint: 'Redirects are not followed; set base_url to where it points.',
      },
    );
  }
  const headers = responseHeaders(answer.headers);
  const body = decoded(answer.body, headers);
  const type = String(headers['content-type'] ?? '');
  if (answer.statusCode >= 400)
    return relayError(exchange, answer.statusCode, headers, body, options);
  exchange.record.status = answer.statusCode;
  if (/^text\/event-stream\b/i.test(type)) {
    delete headers['content-length'];
    exchange.response.writeHead(answer.statusCode, headers);
    return relayEvents(exchange, body, options);
  }
  exchange.response.writeHead(answer.statusCode, headers);
  return relayDocument(exchange, body);
}

const unchanged = (text: string): string => text;

async function relayEvents(
  exchange: Exchange,
  body: Readable,
  { contextWindow, redact = unchanged }: Pick<GatewayOptions, 'contextWindow' | 'redact'>,
): Promise<MessageReading> {
  const reading = new MessageReading();
  const tap = new SseTap(reading);
  const translator = new SseErrorTranslator((data) => {
    const overflow = translateOverflow(parsed(data), contextWindow);
    if (overflow === null) {
      const clean = redact(data);
      return clean === data ? null : clean;
    }
    exchange.record.contextExceeded = overflow.original;
    return JSON.stringify(overflow.body);
  });
  // Headers go out now: an endpoint that thinks for minutes must not look dead to a client that waits for them.
  exchange.response.flushHeaders();
  exchange.isBetweenEvents = true;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    exchange.touch(true);
    tap.push(chunk);
    const pieces = translator.push(chunk);
    exchange.isBetweenEvents = translator.isBetweenEvents;
    for (const piece of pieces) await exchange.write(piece);
  }
  for (const piece of translator.end()) await exchange.write(piece);
  tap.end();
  exchange.response.end();
  return reading;
}

async function relayDocument(exchange: Exchange, body: Readable): Promise<MessageReading> {
  const copy = new BoundedCopy();
  for await (const chunk of body as AsyncIterable<Buffer>) {
    exchange.touch(true);
    copy.add(chunk);
    await exchange.write(chunk);
  }
  exchange.response.end();
  const reading = new MessageReading();
  reading.document(parsed(copy.text()));
  return reading;
}

/** An error is short: it is read first, so that its status can still change. One that is not short goes through as it is. */
async function relayError(
  exchange: Exchange,
  status: number,
  headers: Record<string, string | string[]>,
  body: Readable,
  { contextWindow, redact = unchanged }: Pick<GatewayOptions, 'contextWindow' | 'redact'>,
): Promise<MessageReading> {
  const copy = new BoundedCopy();
  let isPassing = false;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    exchange.touch(true);
    const isKept = copy.add(chunk);
    if (isPassing) await exchange.write(chunk);
    else if (!isKept) {
      isPassing = true;
      exchange.record.status = status;
      exchange.response.writeHead(status, headers);
      for (const piece of [...copy.chunks, chunk]) await exchange.write(piece);
    }
  }
  const reading = new MessageReading();
  const document = parsed(copy.text());
  reading.document(document);
  reading.error ??= { message: copy.text().slice(0, 800) };
  if (isPassing) {
    exchange.response.end();
    return reading;
  }
  const overflow = translateOverflow(document, contextWindow);
  delete headers['content-length'];
  if (overflow !== null) {
    exchange.record.contextExceeded = overflow.original;
    exchange.answer(400, JSON.stringify(overflow.body), headers);
    return reading;
  }
  exchange.record.status = status;
  exchange.response.writeHead(status, headers);
  const said = copy.text();
  const clean = redact(said);
  const pieces = clean === said ? copy.chunks : [Buffer.from(clean)];
  for (const piece of pieces) await exchange.write(piece);
  exchange.response.end();
  return reading;
}

/** The body without its packing; a packing that is not known goes through with its header, unread. */
function decoded(body: Readable, headers: Record<string, string | string[]>): Readable {
  const encoding = String(headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding === 'identity') return body;
  if (!(
    encoding === 'gzip' ||
    encoding === 'x-gzip' ||
    encoding === 'deflate' ||
    encoding === 'br'
  ))
    return body;
  delete headers['content-encoding'];
  delete headers['content-length'];
  const decoder = DECODERS[encoding]();
  // An error of either side ends both and comes out of the decoder, where it is awaited.
  pipeline(body, decoder, () => undefined);
  return decoder;
}

class BoundedCopy {
  readonly chunks: Buffer[] = [];
  #sizeBytes = 0;

  /** False when the chunk did not fit any more. */
  add(chunk: Buffer): boolean {
    this.#sizeBytes += chunk.length;
    if (this.#sizeBytes > MAX_READ_BYTES) return false;
    this.chunks.push(chunk);
    return true;
  }

  text(): string {
    return Buffer.concat(this.chunks).toString('utf8');
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
