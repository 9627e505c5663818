import type { LiveFacts } from '../../protocol/modelsLanguage/liveFacts.ts';
import { NO_LIVE_FACTS } from '../../protocol/modelsLanguage/noLiveFacts.ts';

/** A question that has had no answer for this long is given up, and the next one is asked anew. */
const GIVE_UP_MS = 60_000;
/** Whatever is there will do. */
const ANY_AGE_MS = 24 * 60 * 60_000;

export interface LiveSourceOptions {
  /** Asks the extension. May reject, or never answer. */
  readonly ask: (maxAgeMs: number) => Promise<LiveFacts>;
  readonly onChange: () => void;
  readonly onTrouble: (error: unknown) => void;
  readonly now?: () => number;
}

/** What is known of the endpoints; asked of the extension, and never waited for without a limit. */
export class LiveSource {
  readonly #options: LiveSourceOptions;
  readonly #now: () => number;
  #facts: LiveFacts = NO_LIVE_FACTS;
  #asked = 0;
  #taken = 0;
  #asking: {
    readonly maxAgeMs: number;
    readonly since: number;
    readonly done: Promise<void>;
  } | null = null;

  constructor(options: LiveSourceOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  get facts(): LiveFacts {
    return this.#facts;
  }

  /** Resolves when the answer is there; never rejects. A question that is still open is shared when its answer is new enough. */
  refresh(maxAgeMs: number): Promise<void> {
    const open = this.#asking;
    const isShared =
      open !== null && open.maxAgeMs <= maxAgeMs && this.#now() - open.since < GIVE_UP_MS;
    return isShared ? open.done : this.#ask(maxAgeMs);
  }

  /** There is something new. Asked at once: the answer to a question that is open may be older than that. */
  changed(): Promise<void> {
    return this.#ask(ANY_AGE_MS);
  }

  /** Whether the facts are at most this old now, after waiting at most `limitMs` for newer ones. */
  async within(maxAgeMs: number, limitMs: number): Promise<boolean> {
    if (this.#isNewer(maxAgeMs)) return true;
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, limitMs)));
    await Promise.race([this.refresh(maxAgeMs), limit]);
    clearTimeout(timer);
    return this.#isNewer(maxAgeMs);
  }

  #isNewer(maxAgeMs: number): boolean {
    const { asked_at: askedAt } = this.#facts;
    return askedAt !== null && this.#now() - Date.parse(askedAt) <= maxAgeMs;
  }

  #ask(maxAgeMs: number): Promise<void> {
    const turn = ++this.#asked;
    const asking = {
      maxAgeMs,
      since: this.#now(),
      done: this.#options.ask(maxAgeMs).then(
        (facts) => this.#take(facts, turn),
        (error: unknown) => this.#options.onTrouble(error),
      ),
    };
    this.#asking = asking;
    void asking.done.then(() => {
      if (this.#asking === asking) this.#asking = null;
    });
    return asking.done;
  }

  #take(facts: LiveFacts, turn: number): void {
    // A later question has its answer already.
    if (turn < this.#taken) return;
    this.#taken = turn;
    if (JSON.stringify(facts) === JSON.stringify(this.#facts)) return;
    this.#facts = facts;
    this.#options.onChange();
  }
}
