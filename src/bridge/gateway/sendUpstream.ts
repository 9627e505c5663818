import { request, type Dispatcher } from 'undici';
import type { Upstream } from './gatewayOptions.ts';

/** Sends one request to the endpoint; a null body makes it a GET. Redirects are not followed. */
export function sendUpstream(
  upstream: Upstream,
  path: string,
  options: {
    readonly headers: Readonly<Record<string, string | string[]>>;
    readonly body: Buffer | string | null;
    readonly signal: AbortSignal;
  },
): Promise<Dispatcher.ResponseData> {
  return request(`${upstream.baseUrl.replace(/\/+$/, '')}${path}`, {
    dispatcher: upstream.dispatcher,
    method: options.body === null ? 'GET' : 'POST',
    headers: options.headers,
    body: options.body,
    signal: options.signal,
    // undici ends silent streams after 300 s by default; every exchange has limits of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}
