import type { Dispatcher } from 'undici';
import type { SetTimer } from './exchangeLimits.ts';
import type { RequestRecord } from './requestRecord.ts';

/** Where requests go. */
export interface Upstream {
  /** Root of the endpoint's API, without `/v1`. */
  readonly baseUrl: string;
  /** Resolved credentials and other headers of the endpoint, added to each request; the client's own are left out. */
  readonly headers: Readonly<Record<string, string>>;
  /** Checks each connect (policy, proxy, TLS); its time limits are not used. */
  readonly dispatcher: Dispatcher;
  /** Path of a tokenizer like llama.cpp's, `null` when the endpoint has none. */
  readonly tokenizePath?: '/tokenize' | null;
}

export interface GatewayOptions {
  readonly upstream: Upstream;
  /** Tokens; null when unknown. */
  readonly contextWindow: number | null;
  /** Called once per request, when it is over. */
  readonly record: (record: RequestRecord) => void;
  /** The body as it was sent to the endpoint, for people who asked to keep them. */
  readonly dump?: (body: string) => void;
  /** Takes known secrets out of what the endpoint says of an error: a server may repeat the key it was sent. */
  readonly redact?: (text: string) => string;
  /** Called for all bytes from the endpoint. */
  readonly onActivity: () => void;
  /** Longest silence of the endpoint within a request. */
  readonly idleTimeoutMs: number;
  /** Longest time of one request; null for no limit. */
  readonly totalTimeoutMs: number | null;
  /** What the two limits are timed with. Default setTimeout; tests that may not depend on the machine's load bring their own. */
  readonly setTimer?: SetTimer;
  /** False sends bodies on byte for byte, for an endpoint that is the real Anthropic API. Default true. */
  readonly isRewriting?: boolean;
  /** Largest request body. Default 64 MB. */
  readonly bodyLimitBytes?: number;
}
