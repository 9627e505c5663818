import { BridgeError } from '../base/bridgeError.ts';
import type { LoadedConfig } from '../config/load.ts';
import type { EndpointConfig } from '../config/schema.ts';
import type { Policy } from '../protocol/job.ts';
import type { BridgeContext } from './bridgeContext.ts';
import type { EndpointProbe } from './endpoints/endpointProbe.ts';
import { localityOf, placeAfterProbe, type EndpointPlace } from './endpoints/locality.ts';
import { probeEndpoint } from './endpoints/probeEndpoint.ts';
import { resolveHost } from './endpoints/resolveHost.ts';
import { resolveProxy, resolveTarget, type ResolvedTarget } from './resolveTarget.ts';

export interface SurveyedEndpoint {
  readonly name: string;
  readonly entry: EndpointConfig;
  readonly place: EndpointPlace;
  /** Null: it was not asked, because the policy forbids to. */
  readonly probe: EndpointProbe | null;
}

interface AskOptions {
  readonly policy: Policy;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** What is wrong with an entry before its server is asked. */
const CANNOT_BE_ASKED = [
  'secret_missing',
  'policy_refused',
  'config_invalid',
  'not_supported',
] as const;
const NEAR: ReadonlySet<string> = new Set(['local', 'lan']);

/** Where each endpoint is, and what it says of itself now. Under `local-only` an endpoint that is not near is not even asked. */
export async function surveyEndpoints(
  context: BridgeContext,
  config: LoadedConfig,
  options: { policy: Policy; only?: string | null; signal?: AbortSignal },
): Promise<SurveyedEndpoint[]> {
  const entries = Object.entries(config.config.endpoints).filter(
    ([name]) => options.only === undefined || options.only === null || name === options.only,
  );
  const timeoutMs = config.config.defaults.probe_timeout_s * 1000;
  return Promise.all(
    entries.map(async ([name, entry]) => {
      const place = await placeEndpoint(context, entry, timeoutMs);
      if (options.policy === 'local-only' && !NEAR.has(place.locality)) {
        return { name, entry, place, probe: null };
      }
      const probe = await askEndpoint(context, name, entry, {
        policy: options.policy,
        timeoutMs,
        ...(options.signal ? { signal: options.signal } : {}),
      });
      return { name, entry, place: { ...place, ...placeAfterProbe(place, probe) }, probe };
    }),
  );
}

export async function placeEndpoint(
  context: BridgeContext,
  entry: EndpointConfig,
  timeoutMs: number,
): Promise<EndpointPlace> {
  return localityOf(
    {
      baseUrl: entry.base_url,
      backend: entry.backend,
      declared: entry.locality,
      isProxied: await isProxied(context, entry),
    },
    { lookup: resolveHost, timeoutMs },
  );
}

async function isProxied(context: BridgeContext, entry: EndpointConfig): Promise<boolean> {
  try {
    return (await resolveProxy(entry, context)) !== null;
  } catch (error) {
    // A proxy whose secret cannot be had is one all the same; the probe says what is wrong with it.
    if (BridgeError.is(error, 'secret_missing', 'config_invalid', 'not_supported')) return true;
    throw error;
  }
}

/** Who asks without a way to be cancelled shares the answer with others that ask the same at the same time. */
function askEndpoint(
  context: BridgeContext,
  name: string,
  entry: EndpointConfig,
  options: AskOptions,
): Promise<EndpointProbe> {
  if (options.signal !== undefined) return askAnew(context, name, entry, options);
  const { probesUnderWay } = context;
  const key = JSON.stringify([name, entry, options]);
  const underWay = probesUnderWay.get(key);
  if (underWay !== undefined) return underWay;
  const asking = askAnew(context, name, entry, options).finally(() => probesUnderWay.delete(key));
  probesUnderWay.set(key, asking);
  return asking;
}

async function askAnew(
  context: BridgeContext,
  name: string,
  entry: EndpointConfig,
  options: AskOptions,
): Promise<EndpointProbe> {
  let resolved: ResolvedTarget;
  try {
    resolved = await resolveTarget(name, entry, options.policy, context);
  } catch (error) {
    if (!BridgeError.is(error, ...CANNOT_BE_ASKED)) throw error;
    return notAsked(entry, error);
  }
  try {
    return await probeEndpoint(resolved.target, {
      timeoutMs: options.timeoutMs,
      ...(options.signal ? { signal: options.signal } : {}),
    });
  } finally {
    await resolved.target.dispatcher.close();
  }
}

/** An endpoint that cannot even be asked (its key has no value, say) is down for that reason. */
function notAsked(entry: EndpointConfig, error: BridgeError): EndpointProbe {
  return {
    state: 'down',
    why: error.kind === 'secret_missing' ? 'wants_key' : 'error',
    message: error.message,
    hint: error.hint,
    backend: entry.backend,
    models: [],
    listsModels: false,
    slots: null,
    load: null,
    hasMetrics: false,
    hasTokenize: false,
    formats: [],
    latencyMs: 0,
    warnings: [],
  };
}
