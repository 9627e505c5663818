import type { Dispatcher } from 'undici';
import type { Backend } from '../../config/endpointSchema.ts';

export type WireFormat = 'anthropic' | 'openai';

/**
 * One endpoint made ready to be asked: references resolved, credentials in the headers, connections
 * guarded.
 */
export interface EndpointTarget {
  readonly name: string;
  /** Root of the server, before `/v1/…`; a trailing `/v1` or `/v1/messages` is tolerated. */
  readonly baseUrl: string;
  readonly backend: Backend;
  readonly format: 'auto' | WireFormat;
  /** Sent with every request. Their values never appear in a message of the bridge. */
  readonly headers: Readonly<Record<string, string>>;
  readonly dispatcher: Dispatcher;
}

/**
 * The credentials of an endpoint as headers. Local servers look in either place, so unless the
 * vendor is known both are sent.
 */
export function authHeaders(apiKey: string | null, backend: Backend): Record<string, string> {
  if (apiKey === null || apiKey === '') return {};
  if (backend === 'anthropic') return { 'x-api-key': apiKey };
  if (backend === 'openai') return { authorization: `Bearer ${apiKey}` };
  return { 'x-api-key': apiKey, authorization: `Bearer ${apiKey}` };
}
