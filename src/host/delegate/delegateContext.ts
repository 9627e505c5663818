import { BridgeError } from '../../base/bridgeError.ts';
import { type Disposable, Emitter } from '../../base/emitter.ts';
import type { DelegateFacts } from '../../protocol/ui/uiTools.ts';
import type { HostParts } from '../hostParts.ts';

/** What the steps have to know of the folder, asked for once when the first one opens. */
export class DelegateContext implements Disposable {
  readonly cwd: string | null;
  readonly #changes: Emitter<void>;
  readonly #loaded: Promise<void>;
  #facts: DelegateFacts | null = null;
  #failure: BridgeError | null = null;

  constructor({ link, log }: Pick<HostParts, 'link' | 'log'>, cwd: string | null) {
    this.cwd = cwd;
    this.#changes = new Emitter((error) => log.error(BridgeError.from(error).message));
    this.#loaded = cwd === null ? Promise.resolve() : this.#load(link, cwd);
  }

  readonly onDidChange = (listener: () => void): Disposable => this.#changes.event(listener);

  /** Null until they are known. */
  get facts(): DelegateFacts | null {
    return this.#facts;
  }

  /** Why they cannot be known. */
  get failure(): BridgeError | null {
    return this.#failure;
  }

  /** Resolves when they are known, or cannot be. */
  async settled(): Promise<void> {
    await this.#loaded;
  }

  dispose(): void {
    this.#changes.dispose();
  }

  async #load(link: Pick<HostParts['link'], 'call'>, cwd: string): Promise<void> {
    try {
      this.#facts = await link.call('delegate_facts', { cwd });
    } catch (error) {
      this.#failure = BridgeError.from(error);
    }
    this.#changes.fire();
  }
}
