import { createHash } from 'node:crypto';

/** Of a text in UTF-8, in hex digits. */
export function sha256Of(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}
