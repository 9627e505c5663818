import type { JobStore } from './jobStore.ts';

const POLL_MS = 50;

/** Tells its listeners when any process changed a job. Polls only while somebody listens. */
export class StoreWatcher {
  readonly #store: JobStore;
  readonly #listeners = new Set<() => void>();
  #timer: NodeJS.Timeout | null = null;
  #seen = -1;

  constructor(store: JobStore) {
    this.#store = store;
  }

  onDidChange(listener: () => void): { dispose(): void } {
    this.#listeners.add(listener);
    if (this.#timer === null) {
      this.#seen = this.#store.revision();
      this.#timer = setInterval(() => this.#poll(), POLL_MS);
    }
    return {
      dispose: () => {
        this.#listeners.delete(listener);
        if (this.#listeners.size === 0) this.dispose();
      },
    };
  }

  dispose(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#listeners.clear();
  }

  #poll(): void {
    const revision = this.#store.revision();
    if (revision === this.#seen) return;
    this.#seen = revision;
    for (const listener of [...this.#listeners]) listener();
  }
}
