import { request } from 'undici';
import { apiUrl } from './apiUrl.ts';
import type { EndpointTarget } from './endpointTarget.ts';
import { parseJson } from './jsonValue.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body as JSON; undefined when it is not JSON. */
  readonly json: unknown;
}

export interface ExchangeOptions {
  readonly path: string;
  readonly method?: 'GET' | 'POST';
  readonly body?: unknown;
  readonly signal: AbortSignal;
  readonly maxBytes?: number;
}

const MAX_BYTES = 4 * 1024 * 1024;

/** Thrown when a server goes on sending after the limit; a model server has no reason to. */
export class OversizedReply extends Error {
  readonly limitBytes: number;

  constructor(limitBytes: number) {
    super(`The answer is longer than ${limitBytes} bytes.`);
    this.limitBytes = limitBytes;
  }
}

/**
 * One request and its whole answer, bounded in size (4 MiB unless told). Redirects are never
 * followed. Rejects with undici's errors, with the signal's reason, or with OversizedReply; any
 * HTTP status is a reply.
 */
export async function exchange(target: EndpointTarget, options: ExchangeOptions): Promise<Reply> {
  const hasBody = options.body !== undefined;
  const headers: Record<string, string> = {
    accept: 'application/json',
    'anthropic-version': '2023-06-01',
    ...(hasBody ? { 'content-type': 'application/json' } : {}),
  };
  // Header names are the same in any case; what the endpoint is configured with wins.
  for (const [name, value] of Object.entries(target.headers)) headers[name.toLowerCase()] = value;
  const answering = request(apiUrl(target.baseUrl, options.path), {
    dispatcher: target.dispatcher,
    method: options.method ?? 'GET',
    headers,
    body: hasBody ? JSON.stringify(options.body) : null,
    signal: options.signal,
  });
  const response = await orAborted(answering, options.signal);
  const limitBytes = options.maxBytes ?? MAX_BYTES;
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    // Leaving the loop destroys the body and with it the connection.
    if (sizeBytes > limitBytes) throw new OversizedReply(limitBytes);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  const replyHeaders = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
  );
  return { status: response.statusCode, headers: replyHeaders, text, json: parseJson(text) };
}

/**
 * undici hears an abort only once the connection stands, which with a silent firewall takes until
 * its connect timeout.
 */
async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
  }
}
