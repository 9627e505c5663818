import { BridgeError } from '../../../base/bridgeError.ts';
import type { RunnerEvent } from '../runner.ts';
import { answerRoom } from './answerRoom.ts';
import { askWithRetries, type Asked } from './askWithRetries.ts';
import { deadlineReached } from './deadlineReached.ts';
import { evictionMarks } from './evictionMarks.ts';
import { keepAlive } from './keepAlive.ts';
import type { LoopOptions } from './loopOptions.ts';
import type { LoopPlace } from './loopPlace.ts';
import { PromptGauge } from './promptGauge.ts';
import type { TurnFailure } from './turnFailure.ts';
import { streamMessage } from './streamMessage.ts';
import { askTurn } from './wire/askTurn.ts';
import type { TurnAnswer, TurnRequest, TurnTrace } from './wire/turnTypes.ts';

/** Results of this many turns stay when room is made, and of one when the server has said that the prompt is too long. */
const KEEP_NEWEST = 2;
const KEEP_NEWEST_AFTER_OVERFLOW = 1;
/** Less than this share of the upper mark is not worth losing the server's cache for. */
const LEAST_GAIN = 0.1;

export type TurnResult =
  | { readonly answer: TurnAnswer; readonly failure: null }
  | { readonly answer: null; readonly failure: BridgeError };

/** Asks for one turn after the other: makes room before, tries again, moves to another place when it must. */
export class TurnAsker {
  readonly #options: LoopOptions;
  readonly #signal: AbortSignal;
  readonly #emit: (event: RunnerEvent) => void;
  readonly #gauge = new PromptGauge();
  readonly warnings: string[] = [];
  #place: LoopPlace;
  /** A prompt of this size was too long for the server. */
  #ceiling: number | null = null;
  #retries = 0;

  constructor(options: LoopOptions, signal: AbortSignal, emit: (event: RunnerEvent) => void) {
    this.#options = options;
    this.#signal = signal;
    this.#emit = emit;
    this.#place = options.place;
  }

  get place(): LoopPlace {
    return this.#place;
  }

  async ask(): Promise<TurnResult> {
    this.#makeRoom(KEEP_NEWEST);
    let hasMadeRoom = false;
    for (;;) {
      const asked = await this.#askHere();
      if (asked.failure === null) return asked;
      const { error } = asked.failure;
      if (!this.#signal.aborted) this.#options.onFailure?.(asked.failure, false);
      if (this.#signal.aborted) return { answer: null, failure: this.endedEarly() };
      if (error.kind === 'context_overflow' && !hasMadeRoom) {
        hasMadeRoom = true;
        const hasLowered = this.#learnWindow(error);
        this.#ceiling = this.#size();
        if (this.#makeRoom(KEEP_NEWEST_AFTER_OVERFLOW) || hasLowered) continue;
      }
      if (!(await this.#move(asked))) return { answer: null, failure: error };
    }
  }

  /** Why a job that was stopped, or has reached its deadline, ends. */
  endedEarly(): BridgeError {
    const { deadline } = this.#options;
    return deadline.signal.aborted
      ? deadlineReached(deadline)
      : new BridgeError('cancelled', 'The job was ended from outside.');
  }

  async #askHere(): Promise<Asked> {
    const { deadline, clock, random, turnTimeoutMs } = this.#options;
    const characters = this.#options.conversation.characters;
    const asked = await askWithRetries({
      attempt: (timeoutMs) => this.#attempt(timeoutMs),
      turnTimeoutMs,
      deadline,
      clock,
      random,
      signal: this.#signal,
      pausing: (work) => keepAlive(() => this.#options.onActivity('pause'), work),
      onRetry: ({ delayMs, failure }) => this.#onRetry(delayMs, failure),
    });
    if (asked.failure === null) this.#gauge.note(characters, asked.answer.usage);
    return asked;
  }

  async #attempt(timeoutMs: number): Promise<TurnAnswer> {
    const { idleTimeoutMs, onActivity, onRequest } = this.#options;
    const request = this.#request();
    return askTurn(this.#place.target, request, {
      endpoint: this.#place.endpoint,
      signal: this.#signal,
      timeoutMs,
      idleTimeoutMs,
      onDelta: (kind) => onActivity(kind === 'tool' ? 'call' : kind),
      onTrace: (trace: TurnTrace) => {
        this.#options.totals.add(trace);
        onRequest(request, trace);
      },
    });
  }

  #request(): TurnRequest {
    const { conversation, tools, effort, isStreaming } = this.#options;
    const { model, format, maxTokens, hasCacheMarks, resendsReasoning } = this.#place;
    return {
      model,
      format,
      system: conversation.system,
      tools: tools.specs,
      messages: conversation.messages,
      maxTokens,
      effort,
      isStreaming,
      hasCacheMarks,
      resendsReasoning,
    };
  }

  #onRetry(delayMs: number, failure: TurnFailure): void {
    this.#retries += 1;
    this.#options.onFailure?.(failure, true);
    const { details, message } = failure.error;
    const value = streamMessage.retry(this.#retries, delayMs, details['status'], message);
    this.#emit({ type: 'raw', value });
    this.#emit({
      type: 'retry',
      count: this.#retries,
      inS: Math.round(delayMs / 100) / 10,
      reason: message,
    });
  }

  /**
   * Servers that do not list their window name it when a request does not fit. What does not fit is often the output limit alone:
   * whether it was lowered.
   */
  #learnWindow({ details }: BridgeError): boolean {
    const window = details['window_tokens'];
    if (typeof window !== 'number' || !(window > 0)) return false;
    const { maxTokens } = this.#place;
    const lowered = Math.min(maxTokens, answerRoom(window));
    this.#place = { ...this.#place, contextWindow: window, maxTokens: lowered };
    this.#options.onLearnt?.(this.#place);
    return lowered < maxTokens;
  }

  /** Evicts when the upper mark is passed; whether anything went. */
  #makeRoom(keepNewest: number): boolean {
    const { conversation } = this.#options;
    const { high, low } = evictionMarks(this.#place.contextWindow, this.#ceiling);
    const size = this.#size();
    if (size < high) return false;
    const perCharacter = size / conversation.characters;
    const wanted = Math.ceil((size - low) / perCharacter);
    const isForced = this.#ceiling !== null && size >= this.#ceiling;
    const least = isForced ? 0 : (high * LEAST_GAIN) / perCharacter;
    const eviction = conversation.evict({ characters: wanted, keepNewest, least });
    if (eviction.places.length === 0) return false;
    const tokens = this.#place.contextWindow === null ? null : Math.round(size);
    this.#emit({ type: 'raw', value: streamMessage.madeRoom(tokens) });
    this.#emit({
      type: 'mark',
      text: `made room: ${eviction.places.length} texts, ${eviction.freedCharacters} characters`,
    });
    return true;
  }

  /** In the unit of the marks. */
  #size(): number {
    const { characters } = this.#options.conversation;
    return this.#place.contextWindow === null ? characters : this.#gauge.tokens(characters);
  }

  /** Another place, when this one gives no answer and the turn has not begun anywhere. */
  async #move(asked: Extract<Asked, { answer: null }>): Promise<boolean> {
    const { failover, totals, deadline } = this.#options;
    if (
      failover === undefined ||
      asked.hadFirstToken ||
      // A request that is wrong is wrong everywhere.
      !asked.failure.isRetryable ||
      !deadline.hasSliceAfter(0)
    )
      return false;
    const next = await failover(asked.failure.error);
    if (next === null) return false;
    this.#place = next;
    this.#ceiling = null;
    totals.moved();
    return true;
  }
}
