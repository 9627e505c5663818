/** A text that a person has typed and that the file does not have yet. */
export interface Draft {
  readonly text: string;
  /** Given to VS Code; the answer is still to come. */
  readonly isSent: boolean;
  /** Why it is not in the file; empty: it was not tried yet. */
  readonly trouble: string;
}

/** What is typed, by key: it stays until the file has it or its writer takes it back, whatever else arrives. */
export class Drafts {
  readonly #drafts = new Map<string, Draft>();

  get(id: string): Draft | null {
    return this.#drafts.get(id) ?? null;
  }

  type(id: string, text: string): void {
    this.#drafts.set(id, { text, isSent: false, trouble: '' });
  }

  refuse(id: string, trouble: string): void {
    const draft = this.#drafts.get(id);
    if (draft !== undefined) this.#drafts.set(id, { ...draft, isSent: false, trouble });
  }

  /** Marks the text as sent. The function is told how that ended; empty: the file has it. */
  send(id: string): (trouble: string) => void {
    const sent = this.#drafts.get(id);
    if (sent === undefined) return () => undefined;
    const mark = { ...sent, isSent: true, trouble: '' };
    this.#drafts.set(id, mark);
    return (trouble) => {
      // Typed on meanwhile, or taken back: that counts more than what became of the text before it.
      if (this.#drafts.get(id) !== mark) return;
      if (trouble === '') this.#drafts.delete(id);
      else this.refuse(id, trouble);
    };
  }

  drop(id: string): void {
    this.#drafts.delete(id);
  }
}
