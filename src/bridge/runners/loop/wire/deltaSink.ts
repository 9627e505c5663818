import type { TurnCallbacks } from './turnTypes.ts';

/** Where readers tell of each piece of an answer as it comes; knows whether the first one came. */
export class DeltaSink {
  readonly #callbacks: TurnCallbacks;
  #hasFirstToken = false;

  constructor(callbacks: TurnCallbacks) {
    this.#callbacks = callbacks;
  }

  get hasFirstToken(): boolean {
    return this.#hasFirstToken;
  }

  /** A tool call begins with an empty piece; of texts, empty pieces are nothing. */
  push(kind: 'text' | 'thinking' | 'tool', text: string): void {
    if (text === '' && kind !== 'tool') return;
    if (!this.#hasFirstToken) {
      this.#hasFirstToken = true;
      this.#callbacks.onFirstToken?.();
    }
    this.#callbacks.onDelta?.(kind, text);
  }
}
