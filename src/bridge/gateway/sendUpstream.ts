import { request, type Dispatcher } from 'undici';
import type { Upstream } from './gatewayOptions.ts';

/**
 * Sends one request to the endpoint; a null body makes it a GET. Redirects are not followed. Rejects with the signal's reason as
 * soon as that is aborted.
 */
export async function sendUpstream(
  upstream: Upstream,
  path: string,
  options: {
    readonly headers: Readonly<Record<string, string | string[]>>;
    readonly body: Buffer | string | null;
    readonly signal: AbortSignal;
  },
): Promise<Dispatcher.ResponseData> {
  const { signal } = options;
  signal.throwIfAborted();
  const answered = request(`${upstream.baseUrl.replace(/\/+$/, '')}${path}`, {
    dispatcher: upstream.dispatcher,
    method: options.body === null ? 'GET' : 'POST',
    headers: options.headers,
    body: options.body,
    signal,
    // undici ends silent streams after 300 s by default; every exchange has limits of its own.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  // undici looks at the signal only once the connection stands: behind a silent firewall a job that was ended, or whose limit
  // fired, would wait for the connect timeout.
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([answered, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    // Who lost the race is nobody's concern any more; undici drops an aborted request as soon as it is connected.
    answered.catch(() => undefined);
  }
}
