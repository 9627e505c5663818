import type { BridgeApi } from './bridgeApi.ts';
import { protocolError } from './mcpSdk.ts';
import { parseResourceUri, urisOf } from './resourceUris.ts';

/** At most four notifications a second for one resource. */
const MIN_GAP_MS = 250;

/** Tells the client which of the resources it subscribed to have changed. Watches the store only while there is a subscription. */
export class Subscriptions {
  readonly #bridge: () => Promise<BridgeApi>;
  readonly #notify: (uri: string) => void;
  readonly #uris = new Set<string>();
  readonly #changed = new Set<string>();
  #watch: { dispose(): void } | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(bridge: () => Promise<BridgeApi>, notify: (uri: string) => void) {
    this.#bridge = bridge;
    this.#notify = notify;
  }

  async subscribe(uri: string): Promise<void> {
    if (parseResourceUri(uri) === null)
      throw protocolError(`There is no resource ${uri}.`, 'not_found');
    this.#uris.add(uri);
    const bridge = await this.#bridge();
    if (this.#uris.size === 0) return; // unsubscribed meanwhile
    this.#watch ??= bridge.onDidChangeJobs((jobs) => this.#note(urisOf(jobs)));
  }

  async unsubscribe(uri: string): Promise<void> {
    this.#uris.delete(uri);
    if (this.#uris.size === 0) this.dispose();
  }

  dispose(): void {
    this.#watch?.dispose();
    this.#watch = null;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#changed.clear();
    this.#uris.clear();
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
    this.#timer = setTimeout(() => this.#flush(), MIN_GAP_MS);
  }
}
