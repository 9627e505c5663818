import * as vscode from 'vscode';
import { briefLine } from '../../protocol/briefLine.ts';
import type { PanelMode } from '../../protocol/jobPanel/panelTerms.ts';
import type { HostParts } from '../hostParts.ts';
import { JobPanel, type JobPanelOptions } from './jobPanel.ts';
import { LogDocuments } from './logDocuments.ts';

export const JOB_PANEL_TYPE = 'delegationBridge.job';

/** The open panels, one for each job. VS Code brings them back after a reload through `deserializeWebviewPanel`. */
export class JobPanels implements vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #parts: HostParts;
  readonly #open = new Map<string, JobPanel>();
  readonly #logDocuments: LogDocuments;

  constructor(parts: HostParts) {
    this.#parts = parts;
    this.#logDocuments = new LogDocuments(parts);
  }

  async open(jobId: string, mode: PanelMode): Promise<void> {
    const { readPageMessage } = await import('./readPageMessage.ts');
    const known = this.#open.get(jobId);
    if (known !== undefined) {
      known.show(mode);
      return;
    }
    const task = this.#parts.jobs.job(jobId)?.task ?? '';
    const panel = vscode.window.createWebviewPanel(
      JOB_PANEL_TYPE,
      briefLine(task) || jobId,
      vscode.ViewColumn.Active,
      { enableFindWidget: true },
    );
    this.#keep({ panel, jobId, mode, readPageMessage });
  }

  async deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { readPageMessage, readPanelState } = await import('./readPageMessage.ts');
    const kept = readPanelState(state);
    if (kept === null || this.#open.has(kept.jobId)) {
      panel.dispose();
      return;
    }
    this.#keep({ panel, jobId: kept.jobId, mode: null, readPageMessage });
  }

  dispose(): void {
    this.#logDocuments.dispose();
    for (const open of this.#open.values()) open.panel.dispose();
  }

  #keep(options: Omit<JobPanelOptions, 'parts' | 'logDocuments'>): void {
    const open = new JobPanel({
      ...options,
      parts: this.#parts,
      logDocuments: this.#logDocuments,
    });
    this.#open.set(open.jobId, open);
    open.panel.onDidDispose(() => {
      this.#open.delete(open.jobId);
      open.dispose();
    });
  }
}
