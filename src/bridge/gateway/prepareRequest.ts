import { BridgeError } from '../../base/bridgeError.ts';
import { isJsonObject, type JsonObject } from './jsonObject.ts';
import { rewriteRequest, type Rewrites } from './rewriteRequest.ts';

/** A body as it goes to the endpoint. */
export interface PreparedRequest {
  readonly bytes: Buffer;
  readonly body: JsonObject;
  /** Null when nothing may be rewritten. */
  readonly rewrites: Rewrites | null;
}

/**
 * Parses a request body once and makes it fit for the endpoint.
 *
 * @throws BridgeError `bad_argument` when it is not a JSON object, or nested so deeply that nobody can have meant it.
 */
export function prepareRequest(bytes: Buffer, isRewriting: boolean): PreparedRequest {
  let asked: unknown;
  try {
    asked = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new BridgeError('bad_argument', 'The request body is not valid JSON.', { cause: error });
  }
  if (!isJsonObject(asked)) {
    throw new BridgeError('bad_argument', 'The request body is not a JSON object.');
  }
  if (!isRewriting) return { bytes, body: asked, rewrites: null };
  try {
    const { body, rewrites } = rewriteRequest(asked);
    return { bytes: Buffer.from(JSON.stringify(body)), body, rewrites };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new BridgeError('bad_argument', 'The request body is nested too deeply.', {
      cause: error,
    });
  }
}
