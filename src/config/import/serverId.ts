import { serverRoot } from '../serverRoot.ts';

/** The same text for all addresses of one server; this machine has several names. */
export function serverId(address: string): string {
  return serverRoot(address).replace(
    /^(https?:\/\/)(localhost|127(\.\d+){3}|\[::1\])(?=[:/]|$)/i,
    '$1localhost',
  );
}
