import { BridgeError } from '../base/bridgeError.ts';
import { type Backend, endpointSchema } from '../config/endpointSchema.ts';
import type { EndpointConfig } from '../config/schema.ts';
import { adHocName } from './adHocName.ts';
import type { BridgeContext } from './bridgeContext.ts';
import { endpointAddress } from './endpointAddress.ts';
import type { EndpointTarget } from './endpoints/endpointTarget.ts';
import { placeAfterProbe } from './endpoints/locality.ts';
import { probeEndpoint } from './endpoints/probeEndpoint.ts';
import { probeUnlisted } from './endpoints/probeUnlisted.ts';
import { resolveTarget } from './resolveTarget.ts';
import { backendOfAddress, smallestEntry } from './smallestEntry.ts';
import { placeEndpoint } from './surveyEndpoints.ts';
import { namesFor, type TriedEndpoint } from './triedEndpoint.ts';
import { tryTools } from './tryTools.ts';

export interface TryOptions {
  readonly repoRoot: string | null;
  /** Name of the kept secret that is sent as its key; null: none is sent. */
  readonly secret?: string | null;
  /** The model that is asked to call a tool; null: the best one served. */
  readonly model?: string | null;
  /** Null: only where it costs nothing. */
  readonly isToolCheckWanted?: boolean | null;
  readonly signal?: AbortSignal;
}

/**
 * What answers at an address that need not be in the configuration, and the smallest entry that makes an endpoint of it. Writes nothing;
 * the only key that is sent is the one that is named.
 * @throws BridgeError bad_argument for what is no address, secret_missing, cancelled
 */
export async function tryEndpoint(
  context: BridgeContext,
  address: string,
  options: TryOptions,
): Promise<TriedEndpoint> {
  const baseUrl = endpointAddress(address);
  const { secret = null, signal } = options;
  const loaded = context.loadConfig(options.repoRoot);
  const timeoutMs = loaded.config.defaults.probe_timeout_s * 1000;
  const limits = { timeoutMs, ...(signal ? { signal } : {}) };
  const open = async (backend: Backend): Promise<Opened> => {
    const entry = entryOf(baseUrl, backend, secret);
    // The name makes the connection refuse what no model server is at: link-local, and where clouds hand out credentials.
    const name = adHocName(new URL(baseUrl));
    return { entry, ...(await resolveTarget(name, entry, 'any', context)) };
  };

  const opened = [await open(backendOfAddress(baseUrl))];
  const [first] = opened as [Opened];
  try {
    let asked = { ...first, probe: await probeEndpoint(first.target, limits) };
    if (asked.probe.why === 'not_a_model_server' && asked.entry.backend === 'other') {
      // Some speak Anthropic's API and list nothing; the way to ask them is that of Anthropic.
      const second = await open('anthropic');
      opened.push(second);
      const probe = await probeUnlisted(second.target, asked.probe, limits);
      if (probe !== null) asked = { ...second, probe };
    }
    const { entry, target, probe } = asked;
    const place = await placeEndpoint(context, entry, timeoutMs);
    const { locality } = placeAfterProbe(place, probe);
    const tools = await tryTools(target, probe, {
      model: options.model ?? null,
      isWanted: options.isToolCheckWanted ?? null,
      locality,
      models: loaded.config.models,
      ...(signal ? { signal } : {}),
    });
    if (signal?.aborted === true) throw new BridgeError('cancelled', 'Asking was cancelled.');
    return {
      baseUrl,
      ...namesFor({ baseUrl, probe }, loaded),
      locality,
      placeWarning: place.warning,
      probe,
      formats: probe.formats,
      tools,
      entry: smallestEntry({ baseUrl, asked: entry.backend, probe, secret }),
    };
  } finally {
    await Promise.all(opened.map(({ target }) => target.dispatcher.close()));
  }
}

interface Opened {
  readonly entry: EndpointConfig;
  readonly target: EndpointTarget;
}

function entryOf(baseUrl: string, backend: Backend, secret: string | null): EndpointConfig {
  return {
    ...endpointSchema.parse({}),
    base_url: baseUrl,
    backend,
    api_key: secret === null ? '' : `\${secret:${secret}}`,
  };
}
