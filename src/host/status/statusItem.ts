import * as vscode from 'vscode';
import { COMMANDS } from '../../contributions.ts';
import type { HostParts } from '../hostParts.ts';
import type { JobsFilter } from '../views/jobsFilter.ts';
import { statusText } from './statusText.ts';

/** The one item in the status bar. A click opens the menu. */
export class StatusItem {
  readonly #parts: Pick<HostParts, 'jobs' | 'link'>;
  readonly #filter: JobsFilter;
  readonly #item: vscode.StatusBarItem;
  readonly #owned: readonly { dispose(): void }[];

  constructor(parts: Pick<HostParts, 'jobs' | 'link'>, filter: JobsFilter) {
    this.#parts = parts;
    this.#filter = filter;
    this.#item = vscode.window.createStatusBarItem('jobs', vscode.StatusBarAlignment.Left, 10);
    this.#item.name = 'Delegation';
    this.#item.command = COMMANDS.showMenu;
    this.#owned = [
      this.#item,
      parts.jobs.onDidChange(() => this.#show()),
      parts.link.onDidChangeState(() => this.#show()),
    ];
    this.#show();
  }

  dispose(): void {
    for (const each of this.#owned) each.dispose();
  }

  #show(): void {
    const { jobs, link } = this.#parts;
    const { isShown, text, tooltip, isWarning } = statusText({
      running: jobs.jobs('running').length,
      waiting: jobs.jobs('waiting').length,
      review: jobs.jobs('review').length,
      server: link.state,
      isAllShown: this.#filter.scope === 'all',
      hasFolder: (vscode.workspace.workspaceFolders ?? []).length > 0,
    });
    this.#item.text = text;
    this.#item.tooltip = tooltip;
    this.#item.accessibilityInformation = { label: tooltip, role: 'button' };
    this.#item.backgroundColor = isWarning
      ? new vscode.ThemeColor('statusBarItem.warningBackground')
      : undefined;
    if (isShown) this.#item.show();
    else this.#item.hide();
  }
}
