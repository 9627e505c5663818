import { BlockList, isIP } from 'node:net';

/**
 * Whether a host is, by its own text, an address of the public internet. Names are not resolved here: what a name stands
 * for is checked by the bridge at every connect.
 */
export function isPublicAddress(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  if (family === 0) return false;
  return !privateRanges().check(host, family === 6 ? 'ipv6' : 'ipv4');
}

function privateRanges(): BlockList {
  const list = new BlockList();
  for (const [address, bits] of [
    ['0.0.0.0', 32],
    ['127.0.0.0', 8],
    ['10.0.0.0', 8],
    ['172.16.0.0', 12],
    ['192.168.0.0', 16],
    ['169.254.0.0', 16],
    // Carrier-grade NAT, which tailnets use.
    ['100.64.0.0', 10],
  ] as const) {
    list.addSubnet(address, bits, 'ipv4');
  }
  for (const [address, bits] of [
    ['::', 127],
    ['fc00::', 7],
    ['fe80::', 10],
  ] as const) {
    list.addSubnet(address, bits, 'ipv6');
  }
  return list;
}
