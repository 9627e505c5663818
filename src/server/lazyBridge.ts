import type { BridgeApi } from './bridgeApi.ts';

/** The engine, made at its first use: listing tools needs neither the store nor the configuration. */
export class LazyBridge {
  readonly #create: () => Promise<BridgeApi>;
  #bridge: Promise<BridgeApi> | null = null;

  constructor(create: () => Promise<BridgeApi>) {
    this.#create = create;
  }

  /** Rejects with a BridgeError when the state dir cannot be used; the next call tries again. */
  get(): Promise<BridgeApi> {
    this.#bridge ??= this.#create().catch((error: unknown) => {
      this.#bridge = null;
      throw error;
    });
    return this.#bridge;
  }

  async dispose(): Promise<void> {
    if (this.#bridge === null) return;
    const bridge = await this.#bridge.catch(() => null);
    await bridge?.dispose();
  }
}
