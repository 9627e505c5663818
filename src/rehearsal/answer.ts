import type { ToolCall } from './chooseToolCall.ts';
import type { Fault, Manner } from './script.ts';

/** One answer of the rehearsed model, before it is put into the words of an API. */
export interface Answer {
  thinking: string | null;
  text: string | null;
  call: ToolCall | null;
}

/** What happens to one request. */
export interface Reply {
  answer: Answer;
  /** Instead of, or in the middle of, the answer. */
  fault: Fault | null;
  manners: readonly Manner[];
}
