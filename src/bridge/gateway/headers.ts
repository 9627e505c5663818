import type { IncomingHttpHeaders } from 'node:http';

const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Of the client, never for the endpoint: its credentials, and what the gateway's own connection decides. */
const OWN_TO_CLIENT = [
  'host',
  'content-length',
  'content-encoding',
  'accept-encoding',
  'expect',
  'authorization',
  'x-api-key',
  'api-key',
  'cookie',
];

/** Headers of a request to the endpoint: the client's without its credentials and hop-by-hop ones, plus those of the endpoint. */
export function requestHeaders(
  client: IncomingHttpHeaders,
  endpoint: Readonly<Record<string, string>>,
): Record<string, string | string[]> {
  const headers = without(client, OWN_TO_CLIENT);
  for (const [name, value] of Object.entries(endpoint)) headers[name.toLowerCase()] = value;
  // Bytes are looked at on their way; asking for plain ones is cheaper than unpacking them.
  headers['accept-encoding'] = 'identity';
  return headers;
}

/** Headers of an answer to the client; rate limits, retry-after and request ids pass. */
export function responseHeaders(endpoint: IncomingHttpHeaders): Record<string, string | string[]> {
  return without(endpoint, ['set-cookie']);
}

function without(
  headers: IncomingHttpHeaders,
  names: readonly string[],
): Record<string, string | string[]> {
  const named = String(headers.connection ?? '').split(',');
  const dropped = new Set([
    ...HOP_BY_HOP,
    ...names,
    ...named.map((name) => name.trim().toLowerCase()),
  ]);
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !dropped.has(name.toLowerCase())) kept[name.toLowerCase()] = value;
  }
  return kept;
}
