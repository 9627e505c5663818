import type { LoadedConfig } from '../config/load.ts';
import { formatPath } from '../config/configPath.ts';
import { isSameServer } from '../config/serverRoot.ts';
import type { Locality } from '../protocol/job.ts';
import type { EndpointProbe } from './endpoints/endpointProbe.ts';
import type { WireFormat } from './endpoints/endpointTarget.ts';
import { freeEndpointName } from './freeEndpointName.ts';
import type { TriedTools } from './tryTools.ts';

/** What answered at an address, and what would be written for it. */
export interface TriedEndpoint {
  /** Root of the server, as it would be written. */
  readonly baseUrl: string;
  /** A name that no endpoint has; of one that is registered, its own. */
  readonly suggestedName: string;
  /** The endpoint of the configuration that has this address already. */
  readonly registeredAs: string | null;
  readonly locality: Locality;
  readonly placeWarning: string | null;
  readonly probe: EndpointProbe;
  /** Empty: not known. */
  readonly formats: readonly WireFormat[];
  /** Null: no model was asked. */
  readonly tools: TriedTools | null;
  /** The smallest entry that is right, key by key. */
  readonly entry: readonly EntryField[];
}

export interface EntryField {
  readonly key: 'base_url' | 'backend' | 'api_key';
  readonly value: string;
}

export interface NamesOfConfig {
  readonly suggestedName: string;
  readonly registeredAs: string | null;
}

/**
 * What an address is called in a configuration, or could be. The endpoint that is guessed while nothing names any is not there.
 * @param taken more names that are not free
 */
export function namesFor(
  server: { readonly baseUrl: string; readonly probe: EndpointProbe },
  loaded: LoadedConfig,
  taken: ReadonlySet<string> = new Set(),
): NamesOfConfig {
  const known = Object.entries(loaded.config.endpoints).filter(
    ([name]) => loaded.origin(formatPath(['endpoints', name, 'base_url'])) !== 'default',
  );
  const registeredAs =
    known.find(([, entry]) =>
      isSameServer(onLoopback(entry.base_url), onLoopback(server.baseUrl)),
    )?.[0] ?? null;
  const names = new Set([...known.map(([name]) => name), ...taken]);
  return { registeredAs, suggestedName: registeredAs ?? freeEndpointName(server, names) };
}

/** The same server has several names on its own machine. */
function onLoopback(address: string): string {
  return address.replace(
    /^(https?:\/\/)(localhost|127(\.\d+){3}|\[::1\])(?=[:/]|$)/i,
    '$1127.0.0.1',
  );
}
