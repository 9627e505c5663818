import { BridgeError } from '../base/bridgeError.ts';
import { readAddress } from '../config/readAddress.ts';

/**
 * The root of a server from what a person pasted.
 * @throws BridgeError bad_argument in words about what is wrong; the text itself, which may hold a password, is not repeated
 */
export function endpointAddress(text: string): string {
  const { address, note } = readAddress(text);
  if (address !== null) return address;
  throw new BridgeError('bad_argument', note?.message ?? 'An address is needed.', {
    hint: 'For example http://127.0.0.1:8080.',
  });
}
