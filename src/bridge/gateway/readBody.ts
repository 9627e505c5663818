import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { BridgeError } from '../../base/bridgeError.ts';

const DECODERS = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/**
 * The whole body of a request, unpacked.
 *
 * @throws BridgeError `bad_argument` with the `status` in its details (413 above `limitBytes`, 415 for an unknown packing);
 *   `cancelled` when the client leaves.
 */
export async function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    // The iterator must not destroy the request: the refusal still has to reach the client (Node discards the rest).
    for await (const chunk of request.iterator({
      destroyOnReturn: false,
    }) as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length;
      if (sizeBytes > limitBytes) throw tooLarge(limitBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof BridgeError) throw error;
    throw new BridgeError('cancelled', 'The client went away before its request was complete.', {
      cause: error,
    });
  }
  const packed = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return packed;
  if (!(encoding === 'gzip' || encoding === 'deflate' || encoding === 'br')) {
    throw new BridgeError(
      'bad_argument',
      `The request body is packed as ${JSON.stringify(encoding)}, which is not supported.`,
      {
        hint: 'Send it plain, or as gzip, deflate or br.',
        details: { status: 415 },
      },
    );
  }
  try {
    return await DECODERS[encoding](packed, { maxOutputLength: limitBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw tooLarge(limitBytes);
    throw new BridgeError(
      'bad_argument',
      `The request body could not be unpacked as ${encoding}.`,
      { cause: error },
    );
  }
}

function tooLarge(limitBytes: number): BridgeError {
  const limit = `${Math.round(limitBytes / 2 ** 20)} MB`;
  return new BridgeError('bad_argument', `The request body is larger than ${limit}.`, {
    details: { status: 413 },
  });
}
