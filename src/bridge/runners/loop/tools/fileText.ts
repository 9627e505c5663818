import type { FileHandle } from 'node:fs/promises';

const CHUNK_BYTES = 256 * 1024;
const LOOK_BYTES = 8 * 1024;

export type Content = 'text' | 'binary' | 'utf-16';

/** What the first bytes of a file look like: git's rule, a NUL in the first 8 KiB. */
export async function contentOf(handle: FileHandle): Promise<Content> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(LOOK_BYTES), 0, LOOK_BYTES, 0);
  const start = buffer.subarray(0, bytesRead);
  if (!start.includes(0)) return 'text';
  const mark = start.subarray(0, 2).toString('hex');
  return mark === 'fffe' || mark === 'feff' ? 'utf-16' : 'binary';
}

/** The text of a file in pieces, at most `maxBytes` of it; a byte order mark is left out, wrong bytes become U+FFFD. */
export async function* fileText(handle: FileHandle, maxBytes: number): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8');
  const buffer = Buffer.alloc(Math.min(CHUNK_BYTES, maxBytes));
  for (let at = 0; at < maxBytes;) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, maxBytes - at), at);
    if (bytesRead === 0) break;
    at += bytesRead;
    const text = decoder.decode(buffer.subarray(0, bytesRead), { stream: true });
    if (text !== '') yield text;
  }
  const rest = decoder.decode();
  if (rest !== '') yield rest;
}

export async function hasByteOrderMark(handle: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(3), 0, 3, 0);
  return buffer.subarray(0, bytesRead).toString('hex') === 'efbbbf';
}
