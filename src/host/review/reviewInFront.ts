import * as vscode from 'vscode';
import { setContext } from '../../contributions.ts';
import type { ReviewStates } from './reviewStates.ts';
import { targetOfTab, targetOfUri, type ReviewTarget } from './reviewTarget.ts';
import type { ReviewTitles } from './reviewTitles.ts';

const LEARN_STEPS = 40;
const LEARN_STEP_MS = 50;

/** Which review the person looks at: in which editor, and of what. Keeps the context key for buttons and keys. */
export class ReviewInFront implements vscode.Disposable {
  readonly #titles: ReviewTitles;
  readonly #changes = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changes.event;
  readonly #subscriptions: readonly vscode.Disposable[];
  readonly #states: ReviewStates;
  #target: ReviewTarget | null = null;

  constructor(titles: ReviewTitles, states: ReviewStates) {
    this.#titles = titles;
    this.#states = states;
    const look = () => this.#look();
    this.#subscriptions = [
      vscode.window.tabGroups.onDidChangeTabs(look),
      vscode.window.tabGroups.onDidChangeTabGroups(look),
      vscode.window.onDidChangeActiveTextEditor(look),
    ];
    look();
  }

  /** What the editor in front shows; null when it is no review. */
  get target(): ReviewTarget | null {
    return this.#target;
  }

  /** The file a command means: the one in front or, among all changes of a job, the one that has the cursor. */
  get file(): { readonly jobId: string; readonly path: string } | null {
    if (this.#target?.kind === 'file') return this.#target;
    if (this.#target?.kind !== 'job') return null;
    const { jobId } = this.#target;
    const uri = vscode.window.activeTextEditor?.document.uri;
    const focused = uri === undefined ? null : targetOfUri(uri);
    return focused?.kind === 'file' && focused.jobId === jobId ? focused : null;
  }

  /** All open editors of a job's review. */
  tabs(jobId: string): { readonly tab: vscode.Tab; readonly target: ReviewTarget }[] {
    return vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .flatMap((tab) => {
        const target = this.targetOf(tab);
        return target?.jobId === jobId ? [{ tab, target }] : [];
      });
  }

  targetOf(tab: vscode.Tab): ReviewTarget | null {
    return targetOfTab(tab, (label) => this.#titles.find(label));
  }

  /**
   * For pictures: VS Code lays them side by side under a label of its own, and tells nothing else of that editor. Remembers the label
   * once it is there.
   */
  async learn(target: Extract<ReviewTarget, { kind: 'file' }>): Promise<void> {
    const name = target.path.slice(target.path.lastIndexOf('/') + 1);
    for (let wait = 0; wait < LEARN_STEPS; wait += 1) {
      const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
      if (tab?.input === undefined && tab?.label.includes(name) === true) {
        this.#titles.alias(tab.label, target);
        this.#look();
        return;
      }
      if (tab !== undefined && this.targetOf(tab)?.kind === 'file') return;
      await new Promise((resolve) => setTimeout(resolve, LEARN_STEP_MS));
    }
  }

  /** For buttons: shows them again after a decision. */
  #look(): void {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    const target = tab === undefined ? null : this.targetOf(tab);
    this.#target = target;
    void this.#setContext(target);
    this.#changes.fire();
  }

  /** A job that was decided has nothing left to press. */
  async #setContext(target: ReviewTarget | null): Promise<void> {
    if (target === null || target.kind === 'merge') {
      await setContext('reviewEditor', target?.kind ?? null);
      return;
    }
    const isOpen = await this.#states.isOpen(target.jobId).catch(() => true);
    if (this.#target === target) await setContext('reviewEditor', isOpen ? target.kind : null);
  }

  dispose(): void {
    for (const each of this.#subscriptions) each.dispose();
    this.#changes.dispose();
  }
}
