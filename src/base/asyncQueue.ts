/** What is pushed comes out of the iteration in order; `close` ends it after what is left. For one reader. */
export class AsyncQueue<T> implements AsyncIterable<T> {
  #items: T[] = [];
  #isClosed = false;
  #wake: (() => void) | null = null;

  push(item: T): void {
    if (this.#isClosed) return;
    this.#items.push(item);
    this.#wake?.();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<T> {
    for (;;) {
      const items = this.#items;
      this.#items = [];
      yield* items;
      if (this.#items.length > 0) continue;
      if (this.#isClosed) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = null;
    }
  }
}
