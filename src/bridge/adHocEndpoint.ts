import { BridgeError } from '../base/bridgeError.ts';
import { endpointSchema } from '../config/endpointSchema.ts';
import type { LoadedConfig } from '../config/load.ts';
import type { EndpointConfig } from '../config/schema.ts';
import type { JobRequest } from '../protocol/job.ts';
import { adHocName } from './adHocName.ts';
import { apiUrl } from './endpoints/apiUrl.ts';
import { chooseFormat } from './endpoints/chooseFormat.ts';
import { checkProviderHost, checkProviderUrl } from './endpoints/providerGuard.ts';
import { resolveHost, type ResolveHost } from './endpoints/resolveHost.ts';

/** An endpoint that a call named by its address, for one job. Its entry may hold the key itself. */
export interface AdHocEndpoint {
  readonly name: string;
  readonly entry: EndpointConfig;
}

/**
 * Checks the provider of a call and makes an endpoint of it.
 * @param key given as such; else the request may hold a reference
 * @throws BridgeError bad_argument, policy_refused
 */
export async function adHocEndpoint(
  provider: NonNullable<JobRequest['provider']>,
  key: string | null,
  options: { allowedHosts: readonly string[]; lookup?: ResolveHost },
): Promise<AdHocEndpoint> {
  const url = checkProviderUrl(provider.url, options.allowedHosts);
  const format = formatOf(url, provider);
  await checkProviderHost(url, options.lookup ?? resolveHost);
  const { base_url: baseUrl, ...entry } = endpointSchema.parse({
    base_url: apiUrl(withoutCall(url).href, '').href.replace(/\/$/, ''),
    format,
    api_key: key ?? provider.apiKey ?? '',
    headers: provider.headers ?? {},
  });
  return { name: adHocName(url), entry: { ...entry, base_url: baseUrl ?? '' } };
}

/** The configuration with this endpoint in it. */
export function withAdHoc(loaded: LoadedConfig, { name, entry }: AdHocEndpoint): LoadedConfig {
  const { config } = loaded;
  return { ...loaded, config: { ...config, endpoints: { ...config.endpoints, [name]: entry } } };
}

/**
 * The address says it best, then the call, then the name of the model where that is one of a vendor with a format of its own; else
 * the server is asked.
 */
function formatOf(
  url: URL,
  { model, format }: NonNullable<JobRequest['provider']>,
): EndpointConfig['format'] {
  const path = url.pathname.replace(/\/+$/, '');
  const call = /\/(chat\/completions|messages)$/.exec(path)?.[1];
  if (call !== undefined && !/\/v1\/(chat\/completions|messages)$/.test(path)) {
    throw new BridgeError(
      'bad_argument',
      'The address of a provider ends in /v1/messages or /v1/chat/completions, or is what stands before /v1.',
      { hint: 'Another version of the interface in the path is not supported.' },
    );
  }
  if (call !== undefined) return call === 'messages' ? 'anthropic' : 'openai';
  if (format !== undefined) return format;
  if (path.replace(/\/v1$/, '').endsWith('/anthropic')) return 'anthropic';
  const isOpenAi =
    chooseFormat({
      configured: 'auto',
      probe: { backend: 'litellm', formats: [] },
      model,
      modelFormat: null,
    }) === 'openai';
  return isOpenAi ? 'openai' : 'auto';
}

/** Only what is part of an address: query and fragment of a pasted one are not. */
function withoutCall(url: URL): URL {
  const bare = new URL(url.href);
  bare.search = '';
  bare.hash = '';
  return bare;
}
