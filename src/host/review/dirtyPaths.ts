import type { BridgeLink } from '../bridge/bridgeLink.ts';

export interface DirtyPathsOptions {
  readonly link: Pick<BridgeLink, 'tryCall'>;
  /** Names this window among all that use the store. */
  readonly windowId: string;
  /** Absolute paths of the files that have unsaved text in this window. */
  readonly read: () => readonly string[];
  readonly onError: (error: unknown) => void;
  readonly timers?: Timers;
}

export interface Timers {
  /** Answers with what cancels it. */
  after(ms: number, call: () => void): () => void;
}

/** Typing fires at each key. */
const QUIET_MS = 300;
/** The store forgets a window that has not spoken for ten minutes. */
const REFRESH_MS = 4 * 60_000;

/**
 * Tells the store which files have unsaved text here, so that no accept, from wherever, writes below it. Says it again before the
 * store forgets; says nothing as long as there is nothing to say.
 */
export class DirtyPaths {
  readonly #options: DirtyPathsOptions;
  readonly #timers: Timers;
  #said: readonly string[] = [];
  #cancel: (() => void) | null = null;
  #sending: Promise<void> = Promise.resolve();
  #isDisposed = false;
  /** The store could not be told. */
  #isBehind = false;

  constructor(options: DirtyPathsOptions) {
    this.#options = options;
    this.#timers = options.timers ?? SYSTEM_TIMERS;
  }

  /** Something was typed, saved or closed. */
  changed(): void {
    this.#sendIn(QUIET_MS);
  }

  /** Tells it now; resolves when the store knows. Before an accept of this window. */
  async flush(): Promise<void> {
    this.#cancel?.();
    this.#cancel = null;
    await this.#send();
  }

  /** The window closes: what it held unsaved is in nobody's way. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    this.#cancel?.();
    if (this.#said.length > 0) await this.#call([]);
  }

  #sendIn(ms: number): void {
    if (this.#isDisposed) return;
    this.#cancel?.();
    this.#cancel = this.#timers.after(ms, () => {
      this.#cancel = null;
      void this.#send();
    });
  }

  async #send(): Promise<void> {
    if (this.#isDisposed) return;
    // One after the other: an older list must not arrive last.
    this.#sending = this.#sending.then(async () => {
      const paths = [...new Set(this.#options.read())].sort();
      if (paths.length === 0 && this.#said.length === 0) return;
      this.#isBehind = !(await this.#call(paths));
    });
    await this.#sending;
    const isMore = this.#said.length > 0 || this.#isBehind;
    if (isMore && this.#cancel === null) this.#sendIn(REFRESH_MS);
  }

  async #call(paths: readonly string[]): Promise<boolean> {
    const { link, windowId, onError } = this.#options;
    try {
      const outcome = await link.tryCall('dirty_paths', { window: windowId, paths: [...paths] });
      if (outcome.isOk) this.#said = paths;
      else onError(outcome.failure);
      return outcome.isOk;
    } catch (error) {
      onError(error);
      return false;
    }
  }
}

const SYSTEM_TIMERS: Timers = {
  after: (ms, call) => {
    const timer = setTimeout(call, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
