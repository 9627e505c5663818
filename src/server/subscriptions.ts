import type { BridgeApi } from './bridgeApi.ts';
import { protocolError } from './mcpSdk.ts';
import { ENDPOINTS_URI, parseResourceUri, POOLS_URI, urisOf } from './resourceUris.ts';

export interface SubscriptionOptions {
  readonly bridge: () => Promise<BridgeApi>;
  readonly notify: (uri: string) => void;
  /** Least time between two notifications. */
  readonly minGapMs: number;
  /** Folder whose configuration counts. */
  readonly cwd: () => Promise<string>;
}

/** Tells the client which of the resources it subscribed to have changed. Watches the store only while there is a subscription. */
export class Subscriptions {
  readonly #bridge: () => Promise<BridgeApi>;
  readonly #notify: (uri: string) => void;
  readonly #minGapMs: number;
  readonly #cwd: () => Promise<string>;
  readonly #uris = new Set<string>();
  readonly #changed = new Set<string>();
  #watch: { dispose(): void } | null = null;
  #configWatch: { dispose(): void } | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: SubscriptionOptions) {
    this.#bridge = options.bridge;
    this.#notify = options.notify;
    this.#minGapMs = options.minGapMs;
    this.#cwd = options.cwd;
  }

  async subscribe(uri: string): Promise<void> {
    if (parseResourceUri(uri) === null)
      throw protocolError(`There is no resource ${uri}.`, 'not_found');
    this.#uris.add(uri);
    const bridge = await this.#bridge();
    if (this.#uris.size === 0) return; // unsubscribed meanwhile
    this.#watch ??= bridge.onDidChangeJobs((jobs) => this.#note(urisOf(jobs)));
    if (uri === ENDPOINTS_URI) await this.#watchConfig(bridge);
  }

  async unsubscribe(uri: string): Promise<void> {
    this.#uris.delete(uri);
    if (uri === ENDPOINTS_URI) this.#endConfigWatch();
    if (this.#uris.size === 0) this.dispose();
  }

  dispose(): void {
    this.#watch?.dispose();
    this.#watch = null;
    this.#endConfigWatch();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#changed.clear();
    this.#uris.clear();
  }

  async #watchConfig(bridge: BridgeApi): Promise<void> {
    const cwd = await this.#cwd();
    if (!this.#uris.has(ENDPOINTS_URI) || this.#configWatch !== null) return;
    this.#configWatch = bridge.onDidChangeConfig(cwd, () => this.#note([ENDPOINTS_URI, POOLS_URI]));
  }

  #endConfigWatch(): void {
    this.#configWatch?.dispose();
    this.#configWatch = null;
  }

  #note(uris: readonly string[]): void {
    for (const uri of uris) if (this.#uris.has(uri)) this.#changed.add(uri);
    if (this.#timer === null) this.#flush();
  }

  /** Tells at once, then waits: what changes within the gap is told together at its end. */
  #flush(): void {
    if (this.#changed.size === 0) {
      this.#timer = null;
      return;
    }
    for (const uri of this.#changed) this.#notify(uri);
    this.#changed.clear();
    this.#timer = setTimeout(() => this.#flush(), this.#minGapMs);
  }
}
