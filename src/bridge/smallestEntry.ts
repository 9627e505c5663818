import type { Backend } from '../config/endpointSchema.ts';
import type { EndpointProbe } from './endpoints/endpointProbe.ts';
import type { EntryField } from './triedEndpoint.ts';

/** Vendors whose servers are asked in a way of their own: where the key goes, and how many models their list gives. */
const VENDOR_BACKENDS: readonly (readonly [domain: string, backend: Backend])[] = [
  ['anthropic.com', 'anthropic'],
  ['openai.com', 'openai'],
];

/** The kind of server that an address alone gives away; `other` for all that is left to the probe. */
export function backendOfAddress(baseUrl: string): Backend {
  const host = URL.parse(baseUrl)?.hostname.toLowerCase() ?? '';
  const vendor = VENDOR_BACKENDS.find(([domain]) => host === domain || host.endsWith(`.${domain}`));
  return vendor?.[1] ?? 'other';
}

/**
 * The least that has to be written so that the endpoint is what was found.
 *
 * - `backend` where the probe would not always find it by itself: what was asked for it was told what it is, or it is a gateway,
 *   which is known by a second question; one that is missed because that question came late would count as local.
 * - `api_key` as a reference to the kept secret.
 * - Never `format`, which is asked for by every probe; never `max_concurrent`, because `auto` takes the slots that are reported; never
 *   `locality`: an address that is near is known as near, and to call one near that is public has no effect (see placeOf).
 */
export function smallestEntry(found: {
  readonly baseUrl: string;
  /** With which the server was asked. */
  readonly asked: Backend;
  readonly probe: Pick<EndpointProbe, 'backend' | 'state'>;
  readonly secret: string | null;
}): EntryField[] {
  const { asked, probe } = found;
  const isGateway = probe.backend === 'litellm' || probe.backend === 'bifrost';
  const backend = asked !== 'other' ? asked : isGateway ? probe.backend : null;
  return [
    { key: 'base_url', value: found.baseUrl },
    ...(backend === null ? [] : [{ key: 'backend', value: backend } as const]),
    ...(found.secret === null
      ? []
      : [{ key: 'api_key', value: `\${secret:${found.secret}}` } as const]),
  ];
}
