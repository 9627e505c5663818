import type { BridgeError } from '../../../base/bridgeError.ts';
import type { Conversation } from './conversation.ts';
import type { Deadline } from './deadline.ts';
import type { LoopClock } from './loopClock.ts';
import type { LoopPlace } from './loopPlace.ts';
import type { LoopTotals } from './loopTotals.ts';
import type { ToolBox } from './tools/toolTypes.ts';
import type { TurnFailure } from './turnFailure.ts';
import type { TurnRequest, TurnTrace } from './wire/turnTypes.ts';

/** `text`, `thinking`, `call`: a piece of an answer. */
export type LoopActivity = 'text' | 'thinking' | 'call' | 'tool' | 'pause';

/** What one round of a loop job needs. Conversation, totals, place and deadline live over all rounds of the job. */
export interface LoopOptions {
  readonly sessionId: string;
  readonly task: string;
  readonly conversation: Conversation;
  readonly totals: LoopTotals;
  readonly place: LoopPlace;
  readonly tools: ToolBox;
  readonly deadline: Deadline;
  readonly clock: LoopClock;
  readonly random: () => number;
  readonly maxTurns: number;
  readonly maxNudges: number;
  readonly turnTimeoutMs: number;
  /** Between two pieces of an answer. */
  readonly idleTimeoutMs: number;
  readonly effort: string | null;
  readonly isStreaming: boolean;
  /** The job works in a worktree of its own. */
  readonly hasOwnTree: boolean;
  /** A piece of an answer came, or a tool is at work. */
  readonly onActivity: (what: LoopActivity) => void;
  readonly onRequest: (request: TurnRequest, trace: TurnTrace) => void;
  /** An attempt of a turn failed; `isRetried`: another one follows at the same place. */
  readonly onFailure?: (failure: TurnFailure, isRetried: boolean) => void;
  /** The server has said more of itself: its window, and with it the output limit. */
  readonly onLearnt?: (place: LoopPlace) => void;
  /** Where the job may go on when the place it is at gives no answer; null: nowhere else. Left out: it stays. */
  readonly failover?: (problem: BridgeError) => Promise<LoopPlace | null>;
}
