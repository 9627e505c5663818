import { readFileSync } from 'node:fs';
import type { Policy } from '../protocol/job.ts';
import type { EndpointConfig } from '../config/schema.ts';
import { resolveReferences, type SecretSource } from '../config/secrets.ts';
import { guardedDispatcher } from './endpoints/egressGuard.ts';
import { authHeaders, type EndpointTarget } from './endpoints/endpointTarget.ts';
import { globMatch } from './endpoints/globMatch.ts';

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
  const keyText = keyFor(entry.api_key, model);
  const apiKey = keyText === '' ? null : resolveText(keyText);
  if (apiKey !== null && apiKey !== '') secretValues[`${name}.api_key`] = apiKey;
  const extra = mapValues(entry.headers, resolveText);
  const ca = entry.tls.ca === '' ? null : readFileSync(entry.tls.ca, 'utf8');
  const proxy = entry.proxy === '' ? null : resolveText(entry.proxy);
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
        proxy: proxy === '' ? null : proxy,
      }),
    },
    secretValues,
    sessionEnv: mapValues(entry.env, resolveText),
  };
}

/** One key for all, or a key by model pattern (gateways with lanes); exact names beat patterns. */
function keyFor(apiKey: EndpointConfig['api_key'], model: string | null): string {
  if (typeof apiKey === 'string') return apiKey;
  if (model === null) return Object.values(apiKey)[0] ?? '';
  const pattern = Object.keys(apiKey).find(
    (key) => key === model || globMatch(key, model) || model.startsWith(key),
  );
  return apiKey[model] ?? (pattern === undefined ? '' : (apiKey[pattern] ?? ''));
}

function mapValues(
  map: Readonly<Record<string, string>>,
  change: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}
