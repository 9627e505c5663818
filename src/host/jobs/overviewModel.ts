import { BridgeError } from '../../base/bridgeError.ts';
import { type Disposable, Emitter } from '../../base/emitter.ts';
import type { ModelsOverview } from '../../protocol/ui/uiTools.ts';
import type { BridgeLink } from '../bridge/bridgeLink.ts';
import type { HostLog } from '../bridge/hostLog.ts';
import type { LoadState } from './jobsModel.ts';

const ENDPOINTS_URI = 'delegate://endpoints';

/** Endpoints and pools as they were asked last. Asking goes over the network, so it happens only while somebody looks. */
export class OverviewModel implements Disposable {
  readonly #link: Pick<BridgeLink, 'call' | 'subscribe'>;
  readonly #cwd: () => string | undefined;
  readonly #changes: Emitter<void>;
  #subscription: Disposable | null = null;
  #overview: ModelsOverview | null = null;
  #state: LoadState = { kind: 'loading' };
  #asking: Promise<void> | null = null;
  #isStale = false;

  constructor(
    link: Pick<BridgeLink, 'call' | 'subscribe'>,
    cwd: () => string | undefined,
    log: HostLog,
  ) {
    this.#link = link;
    this.#cwd = cwd;
    this.#changes = new Emitter((error) => log.error(BridgeError.from(error).message));
  }

  readonly onDidChange = (listener: () => void): Disposable => {
    this.#subscription ??= this.#link.subscribe(ENDPOINTS_URI, () => void this.refresh());
    void this.refresh();
    return this.#changes.event(listener);
  };

  get state(): LoadState {
    return this.#state;
  }

  /** The last answer; null before the first one. */
  get overview(): ModelsOverview | null {
    return this.#overview;
  }

  /** Asks the endpoints again; calls while that is under way are answered together by one more. */
  async refresh(): Promise<void> {
    this.#isStale = true;
    this.#asking ??= this.#untilFresh().finally(() => (this.#asking = null));
    await this.#asking;
  }

  dispose(): void {
    this.#subscription?.dispose();
    this.#changes.dispose();
  }

  async #untilFresh(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      const cwd = this.#cwd();
      try {
        this.#overview = await this.#link.call('list_models', cwd === undefined ? {} : { cwd });
        this.#state = { kind: 'ready' };
      } catch (error) {
        const { message, hint } = BridgeError.from(error);
        this.#state = { kind: 'error', message, hint };
      }
      this.#changes.fire();
    }
  }
}
