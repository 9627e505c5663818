import { isIP } from 'node:net';
import type { Locality } from '../../protocol/job.ts';
import { addressClass } from './addressClass.ts';
import type { Backend } from '../../config/endpointSchema.ts';
import type { ResolveHost } from './resolveHost.ts';

export interface PlaceInput {
  readonly baseUrl: string;
  readonly backend: Backend;
  readonly declared: 'auto' | Locality;
  /** Requests go through a forward proxy, so what the name resolves to here proves little. */
  readonly isProxied: boolean;
}

/** Where an endpoint is, and how we know. */
export interface EndpointPlace {
  readonly locality: Locality;
  readonly source: 'declared' | 'vendor' | 'gateway' | 'address' | 'proxy' | 'unresolved';
  readonly addresses: readonly string[];
  /** One sentence when the declaration and the address contradict each other; null otherwise. */
  readonly warning: string | null;
}

/**
 * Vendors that are a cloud whatever a local resolver says, so that one behind a proxy is not taken
 * for an unknown place.
 */
const VENDOR_DOMAINS = [
  'anthropic.com',
  'openai.com',
  'openrouter.ai',
  'z.ai',
  'bigmodel.cn',
  'deepseek.com',
  'googleapis.com',
  'amazonaws.com',
  'azure.com',
  'mistral.ai',
  'groq.com',
  'x.ai',
  'together.xyz',
  'fireworks.ai',
  'moonshot.cn',
  'moonshot.ai',
  'minimax.io',
  'minimaxi.com',
  'aliyuncs.com',
  'ollama.com',
  'huggingface.co',
];

/**
 * Where an endpoint is, from its declaration and the addresses its name has. Pure. Null addresses:
 * the name could not be resolved.
 *
 * A declaration holds, with one exception: what is declared local or lan at a public address is
 * `unknown`, because nothing may be called local that is not. A gateway at a near address is
 * `unknown` too: it is near, what it asks may not be.
 */
export function placeOf(input: PlaceInput, addresses: readonly string[] | null): EndpointPlace {
  const known = addresses ?? [];
  const base = { addresses: known, warning: null };
  const byAddress = localityOfAddresses(known);
  const hostname = hostnameOf(input.baseUrl);
  const isVendor = VENDOR_DOMAINS.some(
    (domain) => hostname === domain || hostname.endsWith(`.${domain}`),
  );
  if (input.declared !== 'auto') {
    const claimsNear = input.declared === 'local' || input.declared === 'lan';
    const isElsewhere = isVendor || byAddress === 'cloud' || byAddress === 'unknown';
    if (claimsNear && known.length > 0 && isElsewhere) {
      return {
        ...base,
        locality: 'unknown',
        source: 'declared',
        warning: `It is declared ${input.declared}, but ${hostname} is at ${known.join(', ')}, which is not near; it counts as unknown.`,
      };
    }
    return { ...base, locality: input.declared, source: 'declared' };
  }
  if (isVendor || (input.backend === 'anthropic' && byAddress === null))
    return { ...base, locality: 'cloud', source: 'vendor' };
  if (input.isProxied) {
    const isNear = byAddress === 'local' || byAddress === 'lan';
    return { ...base, locality: isNear ? 'unknown' : 'cloud', source: 'proxy' };
  }
  if (byAddress === null) return { ...base, locality: 'unknown', source: 'unresolved' };
  const isGateway = input.backend === 'litellm' || input.backend === 'bifrost';
  if (isGateway && byAddress !== 'cloud')
    return { ...base, locality: 'unknown', source: 'gateway' };
  return { ...base, locality: byAddress, source: 'address' };
}

/**
 * As `placeOf`, with the name resolved. A name that cannot be resolved, or not within `timeoutMs`,
 * is a result, not an error.
 */
export async function localityOf(
  input: PlaceInput,
  options: { readonly lookup: ResolveHost; readonly timeoutMs: number },
): Promise<EndpointPlace> {
  const hostname = hostnameOf(input.baseUrl);
  if (isIP(hostname) !== 0) return placeOf(input, [hostname]);
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), options.timeoutMs);
  });
  try {
    return placeOf(input, await Promise.race([options.lookup(hostname), expired]));
  } catch {
    // Not knowing the address is what `unresolved` says; the probe reports the resolver's error.
    return placeOf(input, null);
  } finally {
    clearTimeout(timer);
  }
}

/** True for the places where a local-only job may run. */
export function isNear(locality: Locality): boolean {
  return locality === 'local' || locality === 'lan';
}

type KnownPlace = Pick<EndpointPlace, 'locality' | 'source'>;

/**
 * A place, corrected by what the probe saw (null: nothing was asked): a gateway that is configured
 * as something else is near by its address, what it asks may not be.
 */
export function placeAfterProbe(
  place: KnownPlace,
  probe: { readonly backend: Backend } | null,
): KnownPlace {
  const isGateway = probe?.backend === 'litellm' || probe?.backend === 'bifrost';
  return isGateway && place.source !== 'declared' && isNear(place.locality)
    ? { locality: 'unknown', source: 'gateway' }
    : place;
}

/** Where requests for one model end up: an endpoint that is near may pass some models on. */
export function modelLocality(
  place: KnownPlace,
  model: { readonly id: string; readonly remoteHost: string | null },
): Locality {
  // The server itself says that it passes the model on; no declaration of ours is better informed.
  if (model.remoteHost !== null && place.locality !== 'cloud') return 'cloud';
  const isNamedCloud = /[:-]cloud$/i.test(model.id);
  if (isNamedCloud && place.source !== 'declared' && place.locality !== 'cloud') return 'unknown';
  return place.locality;
}

function localityOfAddresses(addresses: readonly string[]): Locality | null {
  if (addresses.length === 0) return null;
  const classes = addresses.map(addressClass);
  if (classes.every((place) => place === 'loopback')) return 'local';
  if (classes.every((place) => place === 'public')) return 'cloud';
  // A name with near and far addresses may lead to either.
  return classes.some((place) => place === 'public' || place === 'metadata') ? 'unknown' : 'lan';
}

function hostnameOf(baseUrl: string): string {
  return (URL.parse(baseUrl)?.hostname ?? '').replace(/^\[|\]$/g, '').toLowerCase();
}
