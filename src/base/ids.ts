import { randomBytes } from 'node:crypto';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** `<prefix>-<yyyymmdd>-<hhmmss>-<10 random base32>`, UTC: sorts by time, and 50 random bits make a collision a non-event. */
export function newJobId(prefix: string, now: Date): string {
  const iso = now.toISOString();
  const day = iso.slice(0, 10).replaceAll('-', '');
  const clock = iso.slice(11, 19).replaceAll(':', '');
  return `${prefix}-${day}-${clock}-${randomBase32(10)}`;
}

function randomBase32(length: number): string {
  return Array.from(randomBytes(length), (byte) => BASE32[byte & 31]).join('');
}
