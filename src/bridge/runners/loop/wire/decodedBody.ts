import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

const DECODERS: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** The body without its packing: plain bytes were asked for, but some proxies pack all the same. */
export function decodedBody(body: Readable, encoding: string): Readable {
  const create = DECODERS[encoding.trim().toLowerCase()];
  if (create === undefined) return body;
  const decoder = create();
  // An error of either side ends both and comes out of the decoder, where it is awaited.
  pipeline(body, decoder, () => undefined);
  return decoder;
}
