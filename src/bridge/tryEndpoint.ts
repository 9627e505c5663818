import { BridgeError } from '../base/bridgeError.ts';
import { endpointSchema } from '../config/endpointSchema.ts';
import { isSameServer, serverRoot } from '../config/serverRoot.ts';
import type { Locality } from '../protocol/job.ts';
import type { BridgeContext } from './bridgeContext.ts';
import type { EndpointProbe } from './endpoints/endpointProbe.ts';
import { placeAfterProbe } from './endpoints/locality.ts';
import { probeEndpoint } from './endpoints/probeEndpoint.ts';
import { resolveTarget } from './resolveTarget.ts';
import { placeEndpoint } from './surveyEndpoints.ts';

export interface TriedEndpoint {
  /** Root of the server, as it would be written. */
  readonly baseUrl: string;
  readonly locality: Locality;
  readonly placeWarning: string | null;
  /** The endpoint of the configuration that has this address already. */
  readonly registeredAs: string | null;
  readonly probe: EndpointProbe;
}

/** What answers at an address that is not in the configuration. Writes nothing and sends no key. */
export async function tryEndpoint(
  context: BridgeContext,
  address: string,
  options: { repoRoot: string | null; signal?: AbortSignal },
): Promise<TriedEndpoint> {
  const baseUrl = serverRoot(address.trim());
  const url = URL.parse(baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new BridgeError('bad_argument', 'This is not an http or https address.', {
      hint: 'For example http://127.0.0.1:8080.',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new BridgeError('bad_argument', 'The address holds a password.', {
      hint: 'Leave it out; the key is asked for when the server wants one.',
    });
  }
  const { config } = context.loadConfig(options.repoRoot);
  const timeoutMs = config.defaults.probe_timeout_s * 1000;
  const entry = { ...endpointSchema.parse({}), base_url: baseUrl };
  const place = await placeEndpoint(context, entry, timeoutMs);
  const { target } = resolveTarget('new', entry, 'any', context);
  try {
    const probe = await probeEndpoint(target, {
      timeoutMs,
      ...(options.signal ? { signal: options.signal } : {}),
    });
    return {
      baseUrl,
      locality: placeAfterProbe(place, probe).locality,
      placeWarning: place.warning,
      registeredAs: nameOf(config.endpoints, baseUrl),
      probe,
    };
  } finally {
    await target.dispatcher.close();
  }
}

function nameOf(
  endpoints: Readonly<Record<string, { readonly base_url: string }>>,
  baseUrl: string,
): string | null {
  const found = Object.entries(endpoints).find(([, { base_url: known }]) =>
    isSameServer(known, baseUrl),
  );
  return found?.[0] ?? null;
}
