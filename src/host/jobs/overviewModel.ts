import { BridgeError } from '../../base/bridgeError.ts';
import { type Disposable, Emitter } from '../../base/emitter.ts';
import type { ModelsOverview } from '../../protocol/ui/uiTools.ts';
import type { BridgeLink } from '../bridge/bridgeLink.ts';
import type { HostLog } from '../bridge/hostLog.ts';
import { failedState, type LoadState } from './loadState.ts';
import { withSlotUse } from './withSlotUse.ts';

const POOLS_URI = 'delegate://pools';

/**
 * Endpoints and pools as they were asked last. Asking endpoints goes over the network: it happens on `refresh` alone, and whoever
 * shows them calls that while somebody looks. How many places are in use is in the store, and follows by itself while one `watch`es.
 */
export class OverviewModel implements Disposable {
  readonly #link: Pick<BridgeLink, 'call' | 'subscribe'>;
  readonly #cwd: () => string | undefined;
  readonly #now: () => number;
  readonly #changes: Emitter<void>;
  readonly #log: HostLog;
  #overview: ModelsOverview | null = null;
  #askedAtMs: number | null = null;
  #state: LoadState = { kind: 'loading' };
  #asking: Promise<void> | null = null;
  #isStale = false;
  #counting: Promise<void> | null = null;
  #isCountStale = false;
  #isDisposed = false;
  readonly #watches = new Set<Disposable>();

  constructor(
    link: Pick<BridgeLink, 'call' | 'subscribe'>,
    cwd: () => string | undefined,
    log: HostLog,
    now: () => number = Date.now,
  ) {
    this.#link = link;
    this.#cwd = cwd;
    this.#now = now;
    this.#log = log;
    this.#changes = new Emitter((error) => log.error(BridgeError.from(error).message));
  }

  /** Listening alone asks nobody. */
  readonly onDidChange = (listener: () => void): Disposable => this.#changes.event(listener);

  get state(): LoadState {
    return this.#state;
  }

  /** The last answer; null before the first one. After an error it is an old one. */
  get overview(): ModelsOverview | null {
    return this.#overview;
  }

  /** When the endpoints were last asked, in ms since 1970. */
  get askedAtMs(): number | null {
    return this.#askedAtMs;
  }

  /** Keeps the use of pools and endpoints up to date until it is disposed of. */
  watch(): Disposable {
    const subscription = this.#link.subscribe(POOLS_URI, () => void this.#count());
    this.#watches.add(subscription);
    void this.#count();
    return {
      dispose: () => {
        this.#watches.delete(subscription);
        subscription.dispose();
      },
    };
  }

  /** Asks the endpoints again; calls while that is under way are answered together by one more. Never rejects. */
  async refresh(): Promise<void> {
    this.#isStale = true;
    this.#asking ??= this.#untilFresh().finally(() => (this.#asking = null));
    await this.#asking;
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const watch of this.#watches) watch.dispose();
    this.#changes.dispose();
  }

  async #untilFresh(): Promise<void> {
    while (this.#isStale && !this.#isDisposed) {
      this.#isStale = false;
      const cwd = this.#cwd();
      try {
        this.#overview = await this.#link.call('list_models', cwd === undefined ? {} : { cwd });
        this.#askedAtMs = this.#now();
        this.#state = { kind: 'ready' };
        // A count that came while the endpoints were asked is newer than what they were asked with.
        void this.#count();
      } catch (error) {
        this.#state = failedState(error);
      }
      this.#fire();
    }
  }

  async #count(): Promise<void> {
    this.#isCountStale = true;
    this.#counting ??= this.#untilCounted().finally(() => (this.#counting = null));
    await this.#counting;
  }

  async #untilCounted(): Promise<void> {
    while (this.#isCountStale && !this.#isDisposed && this.#watches.size > 0) {
      this.#isCountStale = false;
      if (this.#overview === null) return;
      const cwd = this.#cwd();
      try {
        const use = await this.#link.call('slot_use', cwd === undefined ? {} : { cwd });
        const before = this.#overview;
        this.#overview = withSlotUse(before, use);
        if (JSON.stringify(before) !== JSON.stringify(this.#overview)) this.#fire();
      } catch (error) {
        this.#log.warn(`Use of the pools: ${BridgeError.from(error).message}`);
        return;
      }
    }
  }

  #fire(): void {
    if (!this.#isDisposed) this.#changes.fire();
  }
}
