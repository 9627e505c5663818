import type { ErrorKind } from '../../base/bridgeError.ts';
import type { Usage } from '../../protocol/job.ts';
import type { Rewrites } from './rewriteRequest.ts';

/** One request through the gateway, as `requests.jsonl` keeps it (through `toWire`). No bodies, no credentials. */
export interface RequestRecord {
  /** When the request arrived, RFC 3339 UTC. */
  t: string;
  /** Path and query behind the token. */
  path: string;
  /** Status that the client was given; null when it left before there was one. */
  status: number | null;
  /** From arrival to the first byte of the answer's body that the endpoint sent. */
  msFirstByte: number | null;
  msTotal: number;
  /** How long the endpoint asked to be left alone, in seconds; null: it did not. */
  retryAfterS: number | null;
  /** Body bytes received from the client. */
  bytesIn: number;
  /** Body bytes given to the client. */
  bytesOut: number;
  messages: number | null;
  tools: number | null;
  stream: boolean | null;
  modelAsked: string | null;
  modelAnswered: string | null;
  stopReason: string | null;
  usage: Usage;
  rewrites: Rewrites | null;
  /** Bytes this prompt shares with the previous one of its conversation, of `prevBytes`. Null for the first request. */
  commonPrefixBytes: number | null;
  prevBytes: number | null;
  /** Where the number of `count_tokens` came from; null for other requests. */
  countSource: 'endpoint' | 'tokenizer' | 'estimate' | null;
  /** What went wrong; `idle_timeout` and `timeout` name the limit that fired. */
  error: { kind: ErrorKind; message: string } | null;
  /** The endpoint's own words when it said that the prompt does not fit, at most 300 characters. */
  contextExceeded: string | null;
}

export function newRequestRecord(path: string, now: Date): RequestRecord {
  return {
    t: now.toISOString(),
    path,
    status: null,
    msFirstByte: null,
    msTotal: 0,
    retryAfterS: null,
    bytesIn: 0,
    bytesOut: 0,
    messages: null,
    tools: null,
    stream: null,
    modelAsked: null,
    modelAnswered: null,
    stopReason: null,
    usage: { input: null, output: null, cacheRead: null, cacheWrite: null },
    rewrites: null,
    commonPrefixBytes: null,
    prevBytes: null,
    countSource: null,
    error: null,
    contextExceeded: null,
  };
}
