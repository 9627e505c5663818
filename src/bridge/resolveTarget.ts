import { readFileSync } from 'node:fs';
import type { Policy } from '../protocol/job.ts';
import { endpointKey } from '../config/endpointKey.ts';
import type { EndpointConfig } from '../config/schema.ts';
import { BridgeError } from '../base/bridgeError.ts';
import { resolveReferences, type SecretSource } from '../config/secrets.ts';
import { isAdHocName } from './adHocName.ts';
import { guardedDispatcher } from './endpoints/egressGuard.ts';
import { authHeaders, type EndpointTarget } from './endpoints/endpointTarget.ts';
import { isMetadataAddress } from './endpoints/metadataAddress.ts';

export interface ResolvedTarget {
  readonly target: EndpointTarget;
  /** Values that must never be written anywhere, by name. */
  readonly secretValues: Readonly<Record<string, string>>;
  /** Environment that the endpoint's entry adds to claude-code sessions. */
  readonly sessionEnv: Readonly<Record<string, string>>;
}

export interface TargetSources {
  readonly env: NodeJS.ProcessEnv;
  readonly secrets: SecretSource;
}

/** Makes one entry of models.yaml ready to be asked: references resolved, connections guarded. The caller closes the dispatcher. */
export function resolveTarget(
  name: string,
  entry: EndpointConfig,
  policy: Policy,
  sources: TargetSources,
  model: string | null = null,
): ResolvedTarget {
  const secretValues: Record<string, string> = {};
  const resolveText = (text: string): string => {
    const { value, names } = resolveReferences(text, sources);
    if (names.length > 0 && value !== '') secretValues[names.join('+')] = value;
    return value;
  };
  const keyText = endpointKey(entry, model);
  const apiKey = keyText === '' ? null : resolveText(keyText);
  if (apiKey !== null && apiKey !== '') secretValues[`${name}.api_key`] = apiKey;
  const extra = mapValues(entry.headers, resolveText);
  const ca = entry.tls.ca === '' ? null : readAuthority(entry.tls.ca);
  const proxy = resolveProxy(entry, sources);
  if (proxy !== null && entry.proxy !== proxy) secretValues[`${name}.proxy`] = proxy;
  return {
    target: {
      name,
      baseUrl: entry.base_url,
      backend: entry.backend,
      format: entry.format,
      headers: { ...authHeaders(apiKey, entry.backend), ...extra },
      dispatcher: guardedDispatcher({
        policy,
        tls: { ca, insecure: entry.tls.insecure },
        proxy,
        ...(isAdHocName(name) ? { isDenied: isMetadataAddress } : {}),
      }),
    },
    secretValues,
    sessionEnv: mapValues(entry.env, resolveText),
  };
}

/** The proxy in force; null when there is none, also when it names a variable that is not set. */
export function resolveProxy(
  entry: Pick<EndpointConfig, 'proxy'>,
  sources: TargetSources,
): string | null {
  if (entry.proxy === '') return null;
  try {
    const { value } = resolveReferences(entry.proxy, sources);
    return value === '' ? null : value;
  } catch (error) {
    // `proxy: ${env:HTTPS_PROXY}` on a machine without a proxy. A secret that is missing stays an error.
    if (BridgeError.is(error, 'secret_missing') && /^\$\{env:[^}]+\}$/.test(entry.proxy))
      return null;
    throw error;
  }
}

function readAuthority(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new BridgeError('config_invalid', `The certificate file ${file} cannot be read.`, {
      hint: 'Correct tls.ca of the endpoint.',
      cause: error,
    });
  }
}

function mapValues(
  map: Readonly<Record<string, string>>,
  change: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}
