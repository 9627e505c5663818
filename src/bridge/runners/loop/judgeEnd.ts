import type { Failure } from '../../../protocol/job.ts';
import { readsLikeAnnouncement } from './readsLikeAnnouncement.ts';
import type { StopReason } from './wire/turnTypes.ts';

export interface EndInput {
  readonly stopReason: StopReason;
  readonly rawStopReason: string | null;
  /** Text of the answer without a tool call. */
  readonly text: string;
  /** A report of an earlier answer; null: there was none. */
  readonly report: string | null;
  /** Whether the answer had thinking in it. */
  readonly hasThinking: boolean;
  readonly nudgesLeft: number;
  readonly turnsLeft: number;
  /** The job has tools to write with or to run commands. */
  readonly mayAct: boolean;
  /** It has written a file or run a command. */
  readonly hasActed: boolean;
}

export type EndVerdict =
  | { readonly kind: 'done' }
  | { readonly kind: 'nudge'; readonly why: 'empty' | 'announcement' | 'nothing_done' }
  | { readonly kind: 'failed'; readonly failure: Failure };

/**
 * What to make of an answer without a tool call. A clean end with a report is done; a model that only says what it is going to do, or
 * says nothing, is asked once more; every other end is incomplete and says why.
 */
export function judgeEnd(input: EndInput): EndVerdict {
  switch (input.stopReason) {
    case 'max_tokens':
      return failed(
        input.text.trim() === '' && input.hasThinking
          ? 'The model used its whole output limit for thinking and gave no answer.'
          : 'The answer was cut at the output limit.',
        'Raise max_tokens, or split the task.',
      );
    case 'content_filter':
      return failed(
        'The model or its server refused to answer.',
        'Reword the task, or choose another model.',
      );
    case 'unknown':
      return failed(
        input.rawStopReason === null
          ? 'The answer broke off without saying how it ended.'
          : `The answer ended for a reason that is not known here: ${input.rawStopReason.slice(0, 100)}.`,
        'Look at the log of the model server, or resume the job.',
      );
    case 'end_turn':
    case 'tool_use':
      return judgeText(input);
  }
}

function judgeText(input: EndInput): EndVerdict {
  const text = input.text.trim();
  const canNudge = input.nudgesLeft > 0 && input.turnsLeft > 0;
  if (text === '') {
    if (canNudge && input.report === null) return { kind: 'nudge', why: 'empty' };
    return input.report === null
      ? failed(
          'The model ended with an empty answer.',
          'Look at the transcript, or resume the job with a word on what is missing.',
        )
      : { kind: 'done' };
  }
  if (readsLikeAnnouncement(text)) {
    if (canNudge) return { kind: 'nudge', why: 'announcement' };
    return input.report === null && !input.hasActed
      ? failed(
          'The model said what it was going to do and stopped before it did it.',
          'Resume the job, or choose a model that is better with tools.',
        )
      : { kind: 'done' };
  }
  const isIdle = input.mayAct && !input.hasActed && input.report === null;
  return isIdle && canNudge ? { kind: 'nudge', why: 'nothing_done' } : { kind: 'done' };
}

function failed(message: string, hint: string): EndVerdict {
  return { kind: 'failed', failure: { kind: 'incomplete', message, hint } };
}
