import type { ConfigEdit } from '../../../src/protocol/modelsLanguage/configEdit.ts';

export type EditOutcome = 'done' | 'stale' | 'refused';

interface QueuedEdit {
  /** Made when it is its turn, from what the file says then; null: there is nothing left to do. */
  readonly make: () => readonly ConfigEdit[] | null;
  readonly onEnd: (outcome: EditOutcome, message: string) => void;
}

interface EditQueueOptions {
  readonly post: (id: number, version: number, edits: readonly ConfigEdit[]) => void;
  /** Calls back after a while; the function it gives takes that back. */
  readonly later: (callback: () => void, delayMs: number) => () => void;
}

/** The state that an edit has made follows it at once. One that changed nothing may make none. */
const STATE_LIMIT_MS = 1500;
/** VS Code may ask a person something meanwhile. */
const ANSWER_LIMIT_MS = 60_000;

/** Sends one edit after the other, each from the version that the one before it has made: two quick ones are never in each other's way. */
export class EditQueue {
  readonly #options: EditQueueOptions;
  readonly #waiting: QueuedEdit[] = [];
  #current: { readonly id: number; readonly version: number; readonly edit: QueuedEdit } | null =
    null;
  #isDone = false;
  #version = 0;
  #lastId = 0;
  #stopTimer: () => void = () => undefined;

  constructor(options: EditQueueOptions) {
    this.#options = options;
  }

  push(make: QueuedEdit['make'], onEnd: QueuedEdit['onEnd']): void {
    this.#waiting.push({ make, onEnd });
    this.#next();
  }

  onState(version: number): void {
    this.#version = version;
    if (this.#current !== null && this.#isDone && version !== this.#current.version)
      this.#end('done', '');
  }

  onEdited(id: number, outcome: EditOutcome, message: string): void {
    if (this.#current?.id !== id) return;
    if (outcome !== 'done' || this.#version !== this.#current.version) {
      this.#end(outcome, message);
      return;
    }
    this.#isDone = true;
    this.#setTimer(STATE_LIMIT_MS, 'done', '');
  }

  #next(): void {
    while (this.#current === null) {
      const edit = this.#waiting.shift();
      if (edit === undefined) return;
      const edits = edit.make();
      if (edits === null || edits.length === 0) {
        edit.onEnd('done', '');
        continue;
      }
      this.#lastId += 1;
      this.#current = { id: this.#lastId, version: this.#version, edit };
      this.#isDone = false;
      this.#setTimer(
        ANSWER_LIMIT_MS,
        'refused',
        'VS Code has not answered. Look whether the file has the change.',
      );
      this.#options.post(this.#lastId, this.#version, edits);
    }
  }

  #end(outcome: EditOutcome, message: string): void {
    const current = this.#current;
    this.#stopTimer();
    this.#current = null;
    current?.edit.onEnd(outcome, message);
    this.#next();
  }

  #setTimer(delayMs: number, outcome: EditOutcome, message: string): void {
    this.#stopTimer();
    this.#stopTimer = this.#options.later(() => this.#end(outcome, message), delayMs);
  }
}
