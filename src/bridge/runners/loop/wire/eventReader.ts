import type { Usage } from '../../../../protocol/job.ts';
import type { JsonObject } from '../../../endpoints/jsonValue.ts';
import type { TurnAnswer } from './turnTypes.ts';

/** Reads one answer of one format, as events or as one document; what is not as documented is read as well as it can be. */
export interface EventReader {
  /** The answer said that it is over: what comes after that does not matter. */
  readonly isOver: boolean;
  /** The error that came in place of the answer, or of the rest of it. */
  readonly failure: JsonObject | null;
  readonly usage: Usage;
  readonly modelServed: string | null;
  /** Takes in the data of an event and the event's name, or the one document. */
  take(data: unknown, event: string | null): void;
  /** The answer; null when nothing came that could be one. */
  finish(): TurnAnswer | null;
}
