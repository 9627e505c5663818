/** What one event of a job means for its timeline. All texts are foreign: they are shown as text and nothing else. */
export type Step =
  | { readonly kind: 'said' | 'thought'; readonly text: string; readonly message: string | null }
  | {
      readonly kind: 'call';
      readonly callId: string;
      readonly name: string;
      /** What the call is about: a file, a command, a pattern. */
      readonly subject: string;
      readonly input: string;
      readonly message: string | null;
    }
  | {
      readonly kind: 'result';
      readonly callId: string;
      readonly isError: boolean;
      readonly exit: number | null;
      readonly text: string;
    }
  | Mark;

/** Something that the model did not do itself: a start, a retry, a gate. */
export interface Mark {
  readonly kind: 'mark';
  readonly icon: string;
  readonly tone: 'quiet' | 'good' | 'attention' | 'bad';
  readonly text: string;
  readonly detail: string;
}

export interface SteppedEvent {
  /** RFC 3339; null when the line does not say. */
  readonly at: string | null;
  /** Number of the event in its log; null when the line does not say. */
  readonly seq: number | null;
  /** Work of an agent that the model started itself. */
  readonly isNested: boolean;
  readonly steps: readonly Step[];
}
