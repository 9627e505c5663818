import { BlockList, isIP } from 'node:net';

/** Addresses at which a cloud hands out credentials to whatever runs inside it, and link-local ones, where most of those lie. */
const DENIED: readonly string[] = [
  '169.254.0.0/16',
  'fe80::/10',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  'fd00:ec2::/32',
  'fd20:ce::254/128',
];

/** IPv6 ranges whose addresses hold an IPv4 address: mapped, compatible, NAT64 (both), 6to4; by the group at which it begins. */
const EMBEDDING: readonly (readonly [string, number])[] = [
  ['::ffff:0:0/96', 6],
  ['::ffff:0:0:0/96', 6],
  ['::/96', 6],
  ['64:ff9b::/96', 6],
  ['64:ff9b:1::/48', 6],
  ['2002::/16', 1],
];
const TEREDO = blockList(['2001::/32']);
const DENIED_LIST = blockList(DENIED);
const EMBEDDING_LISTS = EMBEDDING.map(([range, group]) => [blockList([range]), group] as const);

/**
 * True for the addresses that an endpoint named by a call must never have, in whatever form they are written. What is no IP address
 * counts as one of them: the careful answer.
 */
export function isMetadataAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  const version = isIP(bare);
  if (version === 0) return true;
  if (version === 4) return DENIED_LIST.check(bare, 'ipv4');
  return (
    DENIED_LIST.check(bare, 'ipv6') || embedded(bare).some((v4) => DENIED_LIST.check(v4, 'ipv4'))
  );
}

/** The IPv4 addresses that an IPv6 address may lead to. */
function embedded(address: string): string[] {
  const groups = groupsOf(address);
  const found = EMBEDDING_LISTS.filter(([list]) => list.check(address, 'ipv6')).map(([, group]) =>
    dotted(groups[group] ?? 0, groups[group + 1] ?? 0),
  );
  // Teredo holds the address of its client with every bit turned; ISATAP has it behind a fixed mark.
  if (TEREDO.check(address, 'ipv6')) {
    found.push(dotted((groups[6] ?? 0) ^ 0xffff, (groups[7] ?? 0) ^ 0xffff));
    found.push(dotted(groups[2] ?? 0, groups[3] ?? 0));
  }
  if (groups[5] === 0x5efe) found.push(dotted(groups[6] ?? 0, groups[7] ?? 0));
  return found;
}

/** The eight groups of an IPv6 address. The URL parser writes any form of it in one. */
function groupsOf(address: string): number[] {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array<string>(gap).fill('0'), ...after].map((group) => parseInt(group, 16));
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

function blockList(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [address = '', bits] = subnet.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}
