import { BlockList, isIP } from 'node:net';

/**
 * Where an IP address is, seen from this machine. `metadata`: the address at which clouds hand out credentials; private by number, but
 * never a model server.
 */
export type AddressClass = 'loopback' | 'lan' | 'tailnet' | 'metadata' | 'public';

// The first class with a match wins, so narrow ranges stand before the wide ones that contain them.
const RANGES: readonly (readonly [AddressClass, readonly string[]])[] = [
  [
    'metadata',
    ['169.254.169.254/32', '169.254.170.2/32', '100.100.100.200/32', 'fd00:ec2::254/128'],
  ],
  ['loopback', ['127.0.0.0/8', '0.0.0.0/32', '::1/128', '::/128']],
  ['tailnet', ['100.64.0.0/10', 'fd7a:115c:a1e0::/48']],
  [
    'lan',
    ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', 'fc00::/7', 'fe80::/10'],
  ],
];

const LISTS = RANGES.map(([place, subnets]) => [place, blockList(subnets)] as const);

/** What is not an IP address is `public`: the careful answer. */
export function addressClass(address: string): AddressClass {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  const plain = mappedIpv4(bare) ?? bare;
  const version = isIP(plain);
  if (version === 0) return 'public';
  const family = version === 4 ? 'ipv4' : 'ipv6';
  return LISTS.find(([, list]) => list.check(plain, family))?.[0] ?? 'public';
}

/** True for the addresses that a local-only job may connect to. */
export function isNearby(address: string): boolean {
  const place = addressClass(address);
  return place === 'loopback' || place === 'lan' || place === 'tailnet';
}

/** The IPv4 address inside `::ffff:a.b.c.d`, however it is spelt; null for any other address. */
function mappedIpv4(address: string): string | null {
  if (isIP(address) !== 6) return null;
  // The URL parser knows every spelling of an IPv6 address and gives one.
  const canonical = new URL(`http://[${address}]`).hostname;
  const groups = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(canonical);
  if (groups === null) return null;
  const [high, low] = [Number.parseInt(groups[1] ?? '', 16), Number.parseInt(groups[2] ?? '', 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function blockList(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = '', bits] = subnet.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}
