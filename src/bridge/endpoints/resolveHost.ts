import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/** All addresses of a host name, the preferred first. Rejects with the resolver's error. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/**
 * The system's resolver, except for `localhost`: some systems map it to one family only while the
 * server listens on the other, so both are always tried (RFC 6761 lets us answer without asking).
 */
export const resolveHost: ResolveHost = async (hostname) => {
  const bare = hostname.replace(/^\[|\]$/g, '');
  if (isIP(bare) !== 0) return [bare];
  const name = bare.toLowerCase().replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost')) return ['127.0.0.1', '::1'];
  const found = await lookup(name, { all: true });
  return found.map((entry) => entry.address);
};
