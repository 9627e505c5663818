import { isIP, type LookupFunction } from 'node:net';
import { buildConnector, ProxyAgent, type Dispatcher } from 'undici';
import { BridgeError } from '../../base/bridgeError.ts';
import type { Policy } from '../../protocol/job.ts';
import { isNearby } from './addressClass.ts';
import { PromptlyClosingAgent } from './promptlyClosingAgent.ts';
import { resolveHost, type ResolveHost } from './resolveHost.ts';

export interface EgressOptions {
  readonly policy: Policy;
  readonly tls?: {
    /** PEM text of the authorities to trust for this endpoint, in place of the system's. */
    readonly ca?: string | null;
    /** Accept any certificate. */
    readonly insecure?: boolean;
  } | null;
  /** `http://` or `https://` URL of a forward proxy; may contain credentials. */
  readonly proxy?: string | null;
  readonly lookup?: ResolveHost;
  /** Which addresses count as local, LAN or tailnet. For tests, which have only loopback. */
  readonly isAllowed?: (address: string) => boolean;
  /** Addresses that no connection may go to, whatever the policy. */
  readonly isDenied?: (address: string) => boolean;
}

const CONNECT_TIMEOUT_MS = 10_000;
// Node gives each address 250 ms before it tries the next one; a server behind a VPN may need more.
const FAMILY_ATTEMPT_TIMEOUT_MS = 1000;

/**
 * The dispatcher through which every request of the bridge to one endpoint goes. Under `local-only`
 * the address of each connection is checked at the moment it is made: the name is resolved here,
 * addresses that are not near are dropped, and what is connected to is one of the rest, so neither
 * a rebinding name nor a redirect gets out. The caller closes it.
 *
 * No time limit on headers and body: a slow prefill is not an error; the caller has its own idle
 * and total limits.
 *
 * @throws BridgeError `policy_refused` for a proxy under `local-only` (where it leads cannot be
 * known), `config_invalid` for a proxy that is not an http(s) URL. A refused connection rejects the
 * request with `policy_refused`.
 */
export function guardedDispatcher(options: EgressOptions): Dispatcher {
  const isLocalOnly = options.policy === 'local-only';
  const tls = {
    ...(options.tls?.ca ? { ca: options.tls.ca } : {}),
    ...(options.tls?.insecure === true ? { rejectUnauthorized: false } : {}),
  };
  const limits = { headersTimeout: 0, bodyTimeout: 0 };
  if (options.proxy) {
    if (isLocalOnly) {
      throw new BridgeError(
        'policy_refused',
        'A local-only job cannot use an endpoint behind a proxy.',
        {
          hint: 'Remove the proxy of this endpoint, or choose another policy.',
        },
      );
    }
    return new ProxyAgent({
      ...limits,
      uri: proxyUrl(options.proxy),
      requestTls: { ...tls, timeout: CONNECT_TIMEOUT_MS },
      proxyTls: { ...tls, timeout: CONNECT_TIMEOUT_MS },
    });
  }
  const resolve = options.lookup ?? resolveHost;
  const isNear = isLocalOnly ? (options.isAllowed ?? isNearby) : () => true;
  const isDenied = options.isDenied ?? (() => false);
  const guard: AddressGuard = {
    isAllowed: (address) => isNear(address) && !isDenied(address),
    refusal: (hostname, addresses) =>
      addresses.some(isDenied) ? deniedAddress(hostname, addresses) : notNear(hostname, addresses),
  };
  const connector = buildConnector({
    ...tls,
    timeout: CONNECT_TIMEOUT_MS,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: FAMILY_ATTEMPT_TIMEOUT_MS,
    lookup: pinnedLookup(resolve, guard),
  });
  return new PromptlyClosingAgent(limits, guardedConnect(connector, guard));
}

interface AddressGuard {
  readonly isAllowed: (address: string) => boolean;
  readonly refusal: (hostname: string, addresses: readonly string[]) => BridgeError;
}

function guardedConnect(
  connector: buildConnector.connector,
  { isAllowed, refusal }: AddressGuard,
): buildConnector.connector {
  return (target, callback) => {
    // A literal address is connected to without any lookup.
    if (isIP(target.hostname) !== 0 && !isAllowed(target.hostname)) {
      callback(refusal(target.hostname, [target.hostname]), null);
      return;
    }
    return connector(target, (...result) => {
      const [error, socket] = result;
      // The second lock on the same door: whatever chose the address, this is the one we are
      // connected to.
      if (error === null && !isAllowed(socket.remoteAddress ?? '')) {
        socket.destroy();
        callback(refusal(target.hostname, [socket.remoteAddress ?? 'an unknown address']), null);
        return;
      }
      callback(...result);
    });
  };
}

function pinnedLookup(resolve: ResolveHost, { isAllowed, refusal }: AddressGuard): LookupFunction {
  return (hostname, options, callback) => {
    const answer = async (): Promise<void> => {
      const addresses = await resolve(hostname);
      const allowed = addresses.filter(isAllowed);
      const [first] = allowed;
      if (first === undefined) throw refusal(hostname, addresses);
      if (options.all === true) {
        callback(
          null,
          allowed.map((address) => ({ address, family: isIP(address) })),
        );
      } else {
        callback(null, first, isIP(first));
      }
    };
    answer().catch((error: unknown) => {
      callback(error instanceof Error ? error : new Error(String(error)), []);
    });
  };
}

function deniedAddress(hostname: string, addresses: readonly string[]): BridgeError {
  return new BridgeError(
    'policy_refused',
    `No connection is made to ${hostname} (${shown(addresses)}): link-local, or where a cloud hands out credentials.`,
    { hint: 'No model server is there.', details: { hostname, addresses } },
  );
}

function notNear(hostname: string, addresses: readonly string[]): BridgeError {
  return new BridgeError(
    'policy_refused',
    `A local-only job may not connect to ${hostname} (${shown(addresses)}): it is not on this machine, the local network or the tailnet.`,
    { hint: 'Choose a local endpoint, or another policy.', details: { hostname, addresses } },
  );
}

function shown(addresses: readonly string[]): string {
  return addresses.length === 0 ? 'no address' : addresses.slice(0, 4).join(', ');
}

function proxyUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new BridgeError(
      'config_invalid',
      'The proxy of an endpoint must be an http:// or https:// URL.',
    );
  }
  return url.href;
}
