import * as vscode from 'vscode';
import type { LiveFacts } from '../../protocol/modelsLanguage/liveFacts.ts';
import type { FormMessage } from '../../protocol/registryForm/formMessages.ts';
import type { HostParts } from '../hostParts.ts';

/** How often endpoints are asked while somebody looks. */
const ASK_EVERY_MS = 20_000;
/** What was asked for so long ago need not be asked for again to know what is known. */
const ANY_AGE_MS = Number.MAX_SAFE_INTEGER;

type Parts = Pick<HostParts, 'language' | 'overview' | 'link'>;

/** Tells a form what endpoints and pools say, and has them asked, while it can be seen. Nothing waits for it. */
export class FormLive implements vscode.Disposable {
  readonly #parts: Parts;
  readonly #tell: (message: FormMessage) => void;
  readonly #subscriptions: { dispose(): unknown }[] = [];
  #timer: NodeJS.Timeout | null = null;
  #asking = 0;
  #told: LiveFacts | null = null;

  constructor(parts: Parts, tell: (message: FormMessage) => void) {
    this.#parts = parts;
    this.#tell = tell;
  }

  /** A page is there that knows nothing, and is looked at. */
  start(): void {
    this.stop();
    const { overview, link } = this.#parts;
    this.#subscriptions.push(
      overview.watch(),
      overview.onDidChange(() => void this.#update(ANY_AGE_MS)),
      link.onDidChangeState(() => void this.#update(ANY_AGE_MS)),
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.#update(ASK_EVERY_MS)),
    );
    this.#timer = setInterval(() => {
      // A failed server is not woken up by somebody looking.
      if (vscode.window.state.focused && link.state.kind === 'running')
        void this.#update(ASK_EVERY_MS);
    }, ASK_EVERY_MS);
    void this.#update(ASK_EVERY_MS);
  }

  /** Asks the endpoints again. */
  async probe(): Promise<void> {
    await this.#update(0);
  }

  /** What is known now of secrets is told, and nobody is asked. */
  async secretsChanged(): Promise<void> {
    this.#parts.language.liveChanged();
    await this.#update(ANY_AGE_MS);
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    for (const subscription of this.#subscriptions.splice(0)) subscription.dispose();
    this.#told = null;
  }

  dispose(): void {
    this.stop();
  }

  async #update(maxAgeMs: number): Promise<void> {
    const asks = maxAgeMs !== ANY_AGE_MS;
    if (asks) {
      this.#asking += 1;
      if (this.#told !== null) this.#tellLive(this.#told);
    }
    const live = await this.#parts.language.live(maxAgeMs);
    if (asks) this.#asking -= 1;
    this.#tellLive(live);
  }

  #tellLive(live: LiveFacts): void {
    if (this.#timer === null) return;
    this.#told = live;
    this.#tell({ type: 'live', live, isAsking: this.#asking > 0 });
  }
}
