import { BridgeError } from '../../base/bridgeError.ts';
import { isMetadataAddress } from './metadataAddress.ts';
import type { ResolveHost } from './resolveHost.ts';

/** Names under which clouds serve credentials; some resolvers answer for them only inside the cloud. */
const METADATA_NAMES: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.com',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
  'instance-data',
  'instance-data.ec2.internal',
]);

/**
 * The address of an endpoint that a call names, read and checked without asking anybody.
 * @param allowedHosts when not empty, only these hosts, exactly
 * @throws BridgeError bad_argument for what is no http(s) address; policy_refused for a host that must not be asked
 */
export function checkProviderUrl(text: string, allowedHosts: readonly string[]): URL {
  const url = URL.parse(text.trim());
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') {
    throw new BridgeError('bad_argument', 'The address of the provider is no http(s) URL.', {
      hint: 'Give it whole, such as https://host/v1/messages or https://host/v1/chat/completions.',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new BridgeError(
      'bad_argument',
      'The address of the provider holds a user or a password.',
      {
        hint: 'Give the key as a key: an address is shown in receipts and logs.',
      },
    );
  }
  const host = hostOf(url);
  if (allowedHosts.length > 0 && !allowedHosts.some((allowed) => allowed.toLowerCase() === host)) {
    throw refused(`${host} is not among the hosts that a call may name.`, [
      'runners.loop.provider_allowed_hosts lists those that may be named.',
    ]);
  }
  if (METADATA_NAMES.has(host)) throw refused(`${host} hands out credentials of a cloud.`);
  return url;
}

/**
 * The addresses of a provider's host, looked up and checked. Each connection looks again and is made to what it has checked, see
 * guardedDispatcher().
 * @throws BridgeError policy_refused when one of them must not be asked, or none can be found
 */
export async function checkProviderHost(url: URL, lookup: ResolveHost): Promise<readonly string[]> {
  const host = hostOf(url);
  let addresses: readonly string[];
  try {
    addresses = await lookup(host);
  } catch (error) {
    // Some other resolver might know the name: not to know where it leads is no leave to go there.
    throw refused(`The host ${host} has no address that could be checked.`, [], error);
  }
  const denied = addresses.filter(isMetadataAddress);
  if (addresses.length > 0 && denied.length === 0) return addresses;
  throw refused(
    `${host} is at ${denied.slice(0, 4).join(', ') || 'no address'}, where no model server is: link-local, or where a cloud hands out credentials.`,
  );
}

/** As the allow-list and the resolver want it: lower case, without brackets and without the dot at the end. */
function hostOf(url: URL): string {
  return url.hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}

function refused(message: string, hints: readonly string[] = [], cause?: unknown): BridgeError {
  return new BridgeError('policy_refused', `This provider is refused. ${message}`, {
    hint: [...hints, 'A server that should be used often belongs in models.yaml.'].join(' '),
    ...(cause === undefined ? {} : { cause }),
  });
}
