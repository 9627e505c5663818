import { readFileSync } from 'node:fs';
import type { Policy } from '../protocol/job.ts';
import { endpointKey } from '../config/endpointKey.ts';
import type { EndpointConfig } from '../config/schema.ts';
import { BridgeError } from '../base/bridgeError.ts';
import { referencesIn, resolveReferences, type SecretSource } from '../config/secrets.ts';
import { isAdHocName } from './adHocName.ts';
import { guardedDispatcher } from './endpoints/egressGuard.ts';
import { authHeaders, type EndpointTarget } from './endpoints/endpointTarget.ts';
import { isMetadataAddress } from './endpoints/metadataAddress.ts';
import type { SecretStore } from './secrets/secretStore.ts';

export interface ResolvedTarget {
  readonly target: EndpointTarget;
  /** Values that must never be written anywhere, by name. */
  readonly secretValues: Readonly<Record<string, string>>;
  /** Environment that the endpoint's entry adds to claude-code sessions. */
  readonly sessionEnv: Readonly<Record<string, string>>;
}

export interface TargetSources {
  readonly env: NodeJS.ProcessEnv;
  readonly secrets: Pick<SecretStore, 'read'>;
}

/** The same, with the secrets that are needed read. */
interface KnownSources {
  readonly env: NodeJS.ProcessEnv;
  readonly secrets: SecretSource;
}

/**
 * Makes one entry of models.yaml ready to be asked: references resolved, connections guarded. The caller closes the dispatcher.
 * @throws BridgeError secret_missing; config_invalid, also when the keychain cannot be asked
 */
export async function resolveTarget(
  name: string,
  entry: EndpointConfig,
  policy: Policy,
  { env, secrets }: TargetSources,
  model: string | null = null,
): Promise<ResolvedTarget> {
  const keyText = endpointKey(entry, model);
  const { headers, env: sessionEnv, proxy: proxyText } = entry;
  const texts = [keyText, ...Object.values(headers), ...Object.values(sessionEnv), proxyText];
  const sources = { env, secrets: await readSecrets(texts, secrets) };
  const secretValues: Record<string, string> = {};
  const resolveText = (text: string): string => {
    const { value, names } = resolveReferences(text, sources);
    if (names.length > 0 && value !== '') secretValues[names.join('+')] = value;
    return value;
  };
  const apiKey = keyText === '' ? null : resolveText(keyText);
  if (apiKey !== null && apiKey !== '') secretValues[`${name}.api_key`] = apiKey;
  const extra = mapValues(entry.headers, resolveText);
  const ca = entry.tls.ca === '' ? null : readAuthority(entry.tls.ca);
  const proxy = proxyOf(entry, sources);
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
export async function resolveProxy(
  entry: Pick<EndpointConfig, 'proxy'>,
  { env, secrets }: TargetSources,
): Promise<string | null> {
  return proxyOf(entry, { env, secrets: await readSecrets([entry.proxy], secrets) });
}

/** Only what the texts refer to: a keychain is asked for nothing that nobody needs. */
async function readSecrets(
  texts: readonly string[],
  secrets: TargetSources['secrets'],
): Promise<SecretSource> {
  const prefix = 'secret:';
  const names = texts
    .flatMap(referencesIn)
    .filter((reference) => reference.startsWith(prefix))
    .map((reference) => reference.slice(prefix.length));
  return secrets.read([...new Set(names)]);
}

function proxyOf(entry: Pick<EndpointConfig, 'proxy'>, sources: KnownSources): string | null {
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
