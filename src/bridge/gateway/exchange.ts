import type { IncomingMessage, ServerResponse } from 'node:http';
import { BridgeError } from '../../base/bridgeError.ts';
import { ExchangeLimits } from './exchangeLimits.ts';
import { gatewayError } from './gatewayError.ts';
import type { GatewayOptions } from './gatewayOptions.ts';
import { newRequestRecord, type RequestRecord } from './requestRecord.ts';

/** One request and its answer: the record about it, its time limits, and the one signal that ends it. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly record: RequestRecord;
  /** The endpoint began to answer. */
  isCarried = false;
  /** The answer is a stream that stands between two events: one more may be put in. */
  isBetweenEvents = false;
  readonly #abort = new AbortController();
  readonly #limits: ExchangeLimits;
  readonly #options: GatewayOptions;
  readonly #startedMs = performance.now();

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    options: GatewayOptions,
  ) {
    this.request = request;
    this.response = response;
    this.#options = options;
    this.record = newRequestRecord(path, new Date());
    this.#limits = new ExchangeLimits(
      options,
      // An upload that takes its time, or an answer that the client does not take.
      () => !request.complete || response.writableNeedDrain,
      (error) => this.end(error),
    );
    // Written to after the socket broke: 'close' follows and says all there is to say.
    response.on('error', () => this.end(new BridgeError('cancelled', 'The client went away.')));
    response.once('close', () => {
      this.#limits.stop();
      if (!response.writableFinished)
        this.end(new BridgeError('cancelled', 'The client went away.'));
    });
  }

  /** Aborted by a time limit, by the client leaving and by `close()`; its reason is a BridgeError. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  end(reason: BridgeError): void {
    this.#abort.abort(reason);
  }

  /** The endpoint sent something. */
  touch(isBody: boolean): void {
    this.#limits.touch();
    this.#options.onActivity();
    if (isBody) this.record.msFirstByte ??= Math.round(performance.now() - this.#startedMs);
  }

  /** Writes body bytes, waiting while the client does not take them. */
  async write(bytes: Uint8Array | string): Promise<void> {
    this.signal.throwIfAborted();
    this.record.bytesOut += bytes.length;
    if (this.response.write(bytes)) return;
    await new Promise<void>((resolve, reject) => {
      const done = (): void => {
        this.response.off('drain', done);
        this.signal.removeEventListener('abort', done);
        if (this.signal.aborted) reject(this.signal.reason as BridgeError);
        else resolve();
      };
      this.response.once('drain', done);
      this.signal.addEventListener('abort', done, { once: true });
    });
  }

  /** Answers with a whole JSON text. */
  answer(status: number, body: string, headers: Record<string, string | string[]> = {}): void {
    this.record.status = status;
    const bytes = Buffer.from(body);
    this.record.bytesOut += bytes.length;
    this.response.writeHead(status, {
      ...headers,
      'content-type': 'application/json',
      'content-length': bytes.length,
    });
    this.response.end(bytes);
  }

  /** Tells the client what went wrong, as far as its answer allows that still, and records it. */
  fail(error: BridgeError): void {
    const shaped = gatewayError(error, error.details['status'] as number | undefined);
    this.record.error = { kind: shaped.kind, message: shaped.message };
    if (this.response.destroyed) return;
    if (!this.response.headersSent) {
      this.answer(shaped.status, shaped.body);
    } else if (this.isBetweenEvents) {
      this.response.end(`event: error\ndata: ${shaped.body}\n\n`);
    } else {
      // Half an answer must not look like a whole one.
      this.response.destroy();
    }
  }

  /** The last word on this request. */
  finish(): RequestRecord {
    this.#limits.stop();
    this.record.msTotal = Math.round(performance.now() - this.#startedMs);
    return this.record;
  }
}
