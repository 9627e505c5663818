import { BridgeError } from '../../../base/bridgeError.ts';
import type { Deadline } from './deadline.ts';
import { deadlineReached } from './deadlineReached.ts';
import type { LoopClock } from './loopClock.ts';
import { pause } from './pause.ts';
import { retryDelayMs } from './retryDelay.ts';
import { turnFailure, type TurnFailure } from './turnFailure.ts';
import type { TurnAnswer } from './wire/turnTypes.ts';

const ATTEMPTS = 4;

export interface RetryOptions {
  /** One attempt with this limit. Rejects with the details that `turnFailure` reads. */
  readonly attempt: (timeoutMs: number) => Promise<TurnAnswer>;
  readonly turnTimeoutMs: number;
  readonly deadline: Deadline;
  readonly clock: LoopClock;
  /** Aborted when the job is to end: by a stop or by the deadline. */
  readonly signal: AbortSignal;
  readonly random: () => number;
  /** Runs a pause, and lets others know of it meanwhile. */
  readonly pausing: (pause: () => Promise<void>) => Promise<void>;
  readonly onRetry: (retry: { failed: number; delayMs: number; failure: TurnFailure }) => void;
}

export type Asked =
  | { readonly answer: TurnAnswer; readonly failure: null }
  | {
      readonly answer: null;
      readonly failure: TurnFailure;
      /** Some attempt of this turn had brought a part of an answer. */
      readonly hadFirstToken: boolean;
    };

/**
 * One turn, asked for up to four times. This is the only layer that retries. An answer that breaks off without its end is asked for
 * once more: a server that never says how it ended must not cost four turns each.
 */
export async function askWithRetries(options: RetryOptions): Promise<Asked> {
  const { deadline, clock, signal } = options;
  let hadFirstToken = false;
  let hasBrokenOff = false;
  for (let failed = 0; ;) {
    if (!deadline.hasSliceAfter(0))
      return { answer: null, failure: tooLate(deadline), hadFirstToken };
    let failure: TurnFailure;
    try {
      const answer = await options.attempt(Math.min(options.turnTimeoutMs, deadline.leftMs));
      if (!isBrokenOff(answer) || hasBrokenOff) return { answer, failure: null };
      hasBrokenOff = true;
      failure = brokenOff();
      if (!deadline.hasSliceAfter(retryDelayMs(1, null, 1))) return { answer, failure: null };
    } catch (error) {
      failure = deadline.signal.aborted ? tooLate(deadline) : turnFailure(error);
    }
    failed += 1;
    hadFirstToken ||= failure.hadFirstToken;
    if (!failure.isRetryable || failed >= ATTEMPTS || signal.aborted)
      return { answer: null, failure, hadFirstToken };
    const delayMs = retryDelayMs(failed, failure.retryAfterS, options.random());
    if (!deadline.hasSliceAfter(delayMs)) return { answer: null, failure, hadFirstToken };
    options.onRetry({ failed, delayMs, failure });
    await options.pausing(() => pause(clock, delayMs, signal));
    if (signal.aborted) {
      const ended = deadline.signal.aborted ? tooLate(deadline) : failure;
      return { answer: null, failure: ended, hadFirstToken };
    }
  }
}

/** The stream ended without a reason, and nothing in it can be acted on. */
function isBrokenOff({ stopReason, rawStopReason, blocks }: TurnAnswer): boolean {
  return (
    stopReason === 'unknown' &&
    rawStopReason === null &&
    !blocks.some((block) => block.type === 'tool_call' && block.input !== null)
  );
}

function brokenOff(): TurnFailure {
  return {
    error: new BridgeError('backend_error', 'The answer broke off without saying how it ended.'),
    isRetryable: true,
    retryAfterS: null,
    hadFirstToken: true,
  };
}

function tooLate(deadline: Deadline): TurnFailure {
  return {
    error: deadlineReached(deadline),
    isRetryable: false,
    retryAfterS: null,
    hadFirstToken: false,
  };
}
