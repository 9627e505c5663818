import type { FileHandle } from 'node:fs/promises';
import type { OpenedFile } from './openFile.ts';

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

/**
 * The text of a file in pieces, at most `maxBytes` of it; a byte order mark is left out, wrong bytes become U+FFFD.
 * A small file is read at once.
 */
export async function* fileText(
  { handle, sizeBytes }: OpenedFile,
  maxBytes: number,
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8');
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, sizeBytes + 1));
  for (let at = 0; at < maxBytes;) {
    const wanted = Math.min(buffer.length, maxBytes - at);
    const { bytesRead } = await handle.read(buffer, 0, wanted, at);
    at += bytesRead;
    const text = decoder.decode(buffer.subarray(0, bytesRead), { stream: true });
    if (text !== '') yield text;
    // Of a file, less than was wanted is the rest of it.
    if (bytesRead < wanted) break;
  }
  const rest = decoder.decode();
  if (rest !== '') yield rest;
}

export async function hasByteOrderMark(handle: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(3), 0, 3, 0);
  return buffer.subarray(0, bytesRead).toString('hex') === 'efbbbf';
}
