import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { BridgeError } from '../../../../base/bridgeError.ts';
import { apiUrl } from '../../../endpoints/apiUrl.ts';
import type { EndpointTarget } from '../../../endpoints/endpointTarget.ts';
import { retryAfter } from '../../../endpoints/retryAfter.ts';
import { ExchangeLimits } from '../../../gateway/exchangeLimits.ts';
import { sendUpstream } from '../../../gateway/sendUpstream.ts';
import { AnswerStream, type NoAnswer } from './answerStream.ts';
import { attemptError } from './attemptError.ts';
import { ChatReader } from './chatReader.ts';
import { decodedBody } from './decodedBody.ts';
import { DeltaSink } from './deltaSink.ts';
import { eventError } from './eventError.ts';
import type { EventReader } from './eventReader.ts';
import { MessagesReader } from './messagesReader.ts';
import { requestJson } from './requestJson.ts';
import { statusError } from './statusError.ts';
import { turnBody } from './turnBody.ts';
import { turnError, type AttemptFacts } from './turnError.ts';
import { turnHeaders } from './turnHeaders.ts';
import type { TurnAnswer, TurnCallbacks, TurnRequest } from './turnTypes.ts';

const MAX_ANSWER_BYTES = 32 * 2 ** 20;
const MAX_ERROR_BYTES = 2 ** 18;
/** How long a connection may stay open after the answer said that it is over; some servers never close. */
const CLOSING_GRACE_MS = 250;

export interface AskOptions extends TurnCallbacks {
  /** Name of the endpoint as answers in the history have it. */
  readonly endpoint: string;
  readonly signal: AbortSignal;
  /** For the whole attempt. */
  readonly timeoutMs: number;
  /** Longest silence of a server that streams; any byte ends it, a comment too. */
  readonly idleTimeoutMs: number;
}

/**
 * One attempt at one turn: sends the request and reads the answer as it comes. Redirects are not followed, an abort closes the
 * connection.
 *
 * @throws BridgeError with `details` as of `turnError`: whether another attempt makes sense, when, and whether the first
 * token was here already.
 */
export async function askTurn(
  target: EndpointTarget,
  request: TurnRequest,
  options: AskOptions,
): Promise<TurnAnswer> {
  const attempt = new Attempt({ ...target, name: options.endpoint }, request, options);
  try {
    const answer = await attempt.run();
    attempt.trace(null, answer.rawStopReason);
    return answer;
  } catch (error) {
    const typed = attemptError(error, attempt.facts, options.timeoutMs);
    attempt.trace(typed.message, null);
    throw typed;
  }
}

class Attempt {
  readonly #target: EndpointTarget;
  readonly #request: TurnRequest;
  readonly #options: AskOptions;
  readonly #sink: DeltaSink;
  readonly #reader: EventReader;
  readonly #startedMs = performance.now();
  readonly #abort = new AbortController();
  readonly #limits: ExchangeLimits;
  #answer: Dispatcher.ResponseData | null = null;
  #msFirstByte: number | null = null;
  #bytesIn = 0;
  #bytesOut = 0;

  constructor(target: EndpointTarget, request: TurnRequest, options: AskOptions) {
    this.#target = target;
    this.#request = request;
    this.#options = options;
    this.#sink = new DeltaSink(options);
    this.#reader =
      request.format === 'anthropic' ? new MessagesReader(this.#sink) : new ChatReader(this.#sink);
    this.#limits = new ExchangeLimits(
      {
        // A server that does not stream is silent until all is written.
        idleTimeoutMs: request.isStreaming ? options.idleTimeoutMs : Infinity,
        totalTimeoutMs: options.timeoutMs,
      },
      () => false,
      (error) => this.#abort.abort(error),
    );
  }

  get facts(): AttemptFacts {
    return {
      target: this.#target,
      status: this.#answer?.statusCode ?? null,
      retryAfterS: this.#answer === null ? null : retryAfter(this.#headers(), Date.now()),
      hadFirstToken: this.#sink.hasFirstToken,
    };
  }

  async run(): Promise<TurnAnswer> {
    const { signal } = this.#options;
    const onAbort = (): void => this.#abort.abort(this.#cancelled());
    try {
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
      const answer = await this.#send();
      this.#answer = answer;
      this.#limits.touch();
      // Whoever reads the body gets its errors; an abort between two reads must not become an uncaught one.
      answer.body.on('error', () => undefined);
      const body = decodedBody(answer.body, this.#headers()['content-encoding'] ?? '');
      if (answer.statusCode < 200 || answer.statusCode >= 300)
        throw statusError(answer.statusCode, await this.#readError(body), this.facts);
      return await this.#readAnswer(body);
    } catch (error) {
      // What aborted the attempt is its reason, whatever the connection made of it.
      throw this.#abort.signal.aborted ? this.#abort.signal.reason : error;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#limits.stop();
    }
  }

  trace(error: string | null, stopReason: string | null): void {
    this.#options.onTrace?.({
      status: this.#answer?.statusCode ?? null,
      msFirstByte: this.#msFirstByte,
      msTotal: Math.round(performance.now() - this.#startedMs),
      bytesIn: this.#bytesIn,
      bytesOut: this.#bytesOut,
      modelServed: this.#reader.modelServed,
      usage: this.#reader.usage,
      stopReason,
      error,
    });
  }

  async #send(): Promise<Dispatcher.ResponseData> {
    const { path, body } = turnBody(this.#target, this.#request);
    const bytes = Buffer.from(requestJson(body));
    this.#bytesOut = bytes.length;
    const { dispatcher, baseUrl } = this.#target;
    return sendUpstream({ baseUrl: apiUrl(baseUrl, '').href, headers: {}, dispatcher }, path, {
      headers: turnHeaders(this.#target, this.#request),
      body: bytes,
      signal: this.#abort.signal,
    });
  }

  async #readAnswer(body: Readable): Promise<TurnAnswer> {
    const stream = new AnswerStream(this.#reader, this.#headers()['content-type'] ?? '');
    let closing: NodeJS.Timeout | undefined;
    try {
      for await (const chunk of this.#chunks(body)) {
        stream.push(chunk);
        this.#throwFailure(stream);
        if (stream.isOver) closing ??= setTimeout(() => body.destroy(), CLOSING_GRACE_MS);
      }
    } catch (error) {
      // How a connection closes after the end of the answer is of no interest.
      if (!stream.isOver) throw error;
    } finally {
      clearTimeout(closing);
    }
    const answer = stream.end();
    this.#throwFailure(stream);
    if ('what' in answer) throw this.#noAnswer(answer);
    const routed = this.#headers()['x-bifrost-resolved-model'] ?? '';
    return answer.modelServed === null && routed !== ''
      ? { ...answer, modelServed: routed }
      : answer;
  }

  /** The chunks of a body up to the limit; leaving the loop closes the connection. */
  async *#chunks(body: Readable): AsyncGenerator<Buffer> {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      this.#limits.touch();
      this.#msFirstByte ??= Math.round(performance.now() - this.#startedMs);
      this.#bytesIn += chunk.length;
      if (this.#bytesIn > MAX_ANSWER_BYTES) throw this.#tooLong();
      yield chunk;
    }
  }

  async #readError(body: Readable): Promise<string> {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    try {
      for await (const chunk of this.#chunks(body)) {
        chunks.push(chunk);
        sizeBytes += chunk.length;
        if (sizeBytes > MAX_ERROR_BYTES) break;
      }
    } catch (error) {
      // The status says what to do, also where the words break off.
      if (this.#abort.signal.aborted) throw error;
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  #throwFailure({ failure }: AnswerStream): void {
    if (failure !== null) throw eventError(failure, this.facts);
  }

  #headers(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      Object.entries(this.#answer?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
  }

  #cancelled(): BridgeError {
    const reason: unknown = this.#options.signal.reason;
    const { kind, message, hint } = BridgeError.is(reason)
      ? reason
      : new BridgeError('cancelled', `The request to ${this.#target.name} was cancelled.`);
    return turnError({ kind, message, hint, isRetryable: false }, this.facts);
  }

  #noAnswer({ what, mayPass }: NoAnswer): BridgeError {
    const { name } = this.#target;
    return turnError(
      {
        kind: 'backend_error',
        message: `${name} answered HTTP ${this.facts.status}, but with ${what}.`,
        hint: mayPass
          ? 'Look at the log of the model server.'
          : `Check base_url of this endpoint, and that it speaks the ${this.#request.format} format.`,
        isRetryable: mayPass,
      },
      this.facts,
    );
  }

  #tooLong(): BridgeError {
    const message = `${this.#target.name} did not stop answering: more than ${MAX_ANSWER_BYTES / 2 ** 20} MB came.`;
    return turnError(
      { kind: 'backend_error', message, hint: 'Look at the model server.', isRetryable: false },
      this.facts,
    );
  }
}
