import { BlockList, isIP } from 'node:net';

/**
 * Where an IP address is, seen from this machine. `metadata`: the address at which clouds hand out
 * credentials; private by number, but never a model server.
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
  const version = isIP(bare);
  if (version === 0) return 'public';
  // As an IPv6 address, `::ffff:10.0.0.1` is checked against the IPv4 ranges too, however it is
  // spelt.
  const family = version === 4 ? 'ipv4' : 'ipv6';
  return LISTS.find(([, list]) => list.check(bare, family))?.[0] ?? 'public';
}

/** True for the addresses that a local-only job may connect to. */
export function isNearby(address: string): boolean {
  const place = addressClass(address);
  return place === 'loopback' || place === 'lan' || place === 'tailnet';
}

function blockList(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = '', bits] = subnet.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}
