import * as vscode from 'vscode';
import type { HostParts } from '../hostParts.ts';

/** How often endpoints are asked while somebody looks. */
const ASK_EVERY_MS = 20_000;

/**
 * Asks the endpoints only while somebody can see the answer: when a view is shown, every 20 s while one is shown in a focused window,
 * and when something was done that changes the answer.
 */
export class OverviewWatch {
  readonly #parts: Pick<HostParts, 'overview' | 'link'>;
  readonly #views: readonly Pick<vscode.TreeView<unknown>, 'visible' | 'onDidChangeVisibility'>[];
  readonly #subscriptions: vscode.Disposable[];
  #counts: { dispose(): void } | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(
    parts: Pick<HostParts, 'overview' | 'link'>,
    views: readonly Pick<vscode.TreeView<unknown>, 'visible' | 'onDidChangeVisibility'>[],
  ) {
    this.#parts = parts;
    this.#views = views;
    const { link, overview } = parts;
    this.#subscriptions = [
      ...views.map((view) => view.onDidChangeVisibility(() => this.#visibilityChanged())),
      link.onDidChangeState(({ kind }) => {
        if (kind === 'running') this.askIfSeen();
      }),
      vscode.window.onDidChangeWindowState(({ focused }) => {
        const { askedAtMs } = overview;
        if (focused && (askedAtMs === null || Date.now() - askedAtMs > ASK_EVERY_MS))
          this.askIfSeen();
      }),
      vscode.workspace.onDidSaveTextDocument(({ fileName }) => {
        if (fileName.endsWith('models.yaml') || fileName === overview.overview?.configFile)
          this.askIfSeen();
      }),
    ];
    this.#visibilityChanged();
  }

  askIfSeen(): void {
    if (this.#isSeen()) void this.#parts.overview.refresh();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#stop();
  }

  #isSeen(): boolean {
    return this.#views.some((view) => view.visible);
  }

  #visibilityChanged(): void {
    if (!this.#isSeen()) {
      this.#stop();
      return;
    }
    if (this.#timer !== null) return;
    this.#counts = this.#parts.overview.watch();
    this.#timer = setInterval(() => {
      // A failed server is not woken up by somebody looking.
      if (vscode.window.state.focused && this.#parts.link.state.kind === 'running')
        this.askIfSeen();
    }, ASK_EVERY_MS);
    this.askIfSeen();
  }

  #stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#counts?.dispose();
    this.#counts = null;
  }
}
