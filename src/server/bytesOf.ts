import { BridgeError } from '../base/bridgeError.ts';

/** The bytes of a file as they came over the wire. A text that is no base64 must not become a shorter file. */
export function bytesOf(base64: string, path: string): Buffer {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') === base64) return bytes;
  throw new BridgeError('bad_argument', `The content of ${path} is not base64.`);
}
