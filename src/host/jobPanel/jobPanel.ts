import * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';
import { Pacer } from '../../base/pacer.ts';
import { runCommand } from '../../contributions.ts';
import { briefLine } from '../../protocol/briefLine.ts';
import type { JobRecord } from '../../protocol/job.ts';
import { jobFace } from '../../protocol/jobPanel/jobFace.ts';
import type { PageMessage, PanelMessage } from '../../protocol/jobPanel/panelMessages.ts';
import { PANEL_LOGS, type PanelLog, type PanelMode } from '../../protocol/jobPanel/panelTerms.ts';
import { reportFailures } from '../commands/reportFailures.ts';
import type { HostParts } from '../hostParts.ts';
import { fillWebview } from '../webview/fillWebview.ts';
import type { LogDocuments } from './logDocuments.ts';
import { LogFollower } from './logFollower.ts';
import { RecordDelta } from './recordDelta.ts';
import { runPanelAction } from './runPanelAction.ts';

const MIN_GAP_MS = 250;
/** A gate writes its log without a change of the record that would tell of it. */
const LIVE_POLL_MS = 1000;
const WINDOW_BYTES: Readonly<Record<PanelLog, number>> = {
  events: 2_097_152,
  requests: 524_288,
  gate: 262_144,
};
const LIVE: ReadonlySet<string> = new Set(['queued', 'starting', 'running', 'gating']);

export interface JobPanelOptions {
  readonly panel: vscode.WebviewPanel;
  readonly jobId: string;
  /** What the page shows at first; null: as it was left. */
  readonly mode: PanelMode | null;
  readonly parts: HostParts;
  readonly logDocuments: LogDocuments;
  readonly readPageMessage: (message: unknown) => PageMessage | null;
}

/** The editor tab of one job: asks the server while it is visible, tells its page what is new, and does what its page is told to. */
export class JobPanel implements vscode.Disposable {
  readonly panel: vscode.WebviewPanel;
  readonly #options: JobPanelOptions;
  readonly #subscriptions: { dispose(): unknown }[] = [];
  readonly #pacer = new Pacer(() => this.#refresh(), MIN_GAP_MS);
  readonly #delta = new RecordDelta();
  readonly #earlier = new Map<number, Promise<void>>();
  /** One for each page that has said it is ready; null while there is none. */
  #logs: Readonly<Record<PanelLog, LogFollower>> | null = null;
  #record: JobRecord | null = null;
  #queuePosition: number | null = null;
  #trouble: string | null = null;
  #icon = '';
  #isDisposed = false;
  #poll: ReturnType<typeof setTimeout> | null = null;
  /** What the next page is told to show. */
  #wanted: PanelMode | null;

  constructor(options: JobPanelOptions) {
    const { panel, jobId, parts } = options;
    this.#options = options;
    this.panel = panel;
    this.#wanted = options.mode;
    this.#subscriptions.push(
      panel.webview.onDidReceiveMessage((message: unknown) => this.#onMessage(message)),
      panel.onDidChangeViewState(() => this.#onVisible()),
      parts.link.subscribe(`delegate://jobs/${jobId}`, () => this.#pacer.ask()),
      // Its place in the queue changes with other jobs.
      parts.link.subscribe('delegate://pools', () => {
        if (this.#record?.status === 'queued') this.#pacer.ask();
      }),
      parts.link.onDidChangeState(() => this.#pacer.ask()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#tellTrust()),
      this.#pacer,
    );
    fillWebview(panel.webview, parts.context.extensionUri, {
      ...{ title: 'Job', bundle: 'jobPanel' },
      data: { 'job-id': jobId },
    });
    void this.#refresh();
  }

  get jobId(): string {
    return this.#options.jobId;
  }

  /** Brings the tab to the front. */
  show(mode: PanelMode): void {
    this.#wanted = mode;
    this.panel.reveal();
    if (this.#logs !== null) this.#tellMode();
  }

  /** For whoever closes the tab: the panel is gone already. */
  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    if (this.#poll !== null) clearTimeout(this.#poll);
    this.#poll = null;
    this.#logs = null;
    this.#isDisposed = true;
  }

  #onVisible(): void {
    // A page that is hidden is thrown away by VS Code; the one that comes back says that it is ready.
    if (this.panel.visible) this.#pacer.ask();
    else this.#logs = null;
  }

  #onMessage(raw: unknown): void {
    const message = this.#options.readPageMessage(raw);
    if (message === null) {
      this.#options.parts.log.warn('The page of a job said something that is not understood.');
      return;
    }
    switch (message.type) {
      case 'ready':
        this.#startOver();
        break;
      case 'act':
        void runPanelAction(message.action, this.jobId, message.message);
        break;
      case 'openChange':
        // Only what the record names: a page may be lied to, and then lie.
        if (this.#record?.filesChanged.some(({ path }) => path === message.path) === true)
          void runCommand('openChange', { kind: 'file', jobId: this.jobId, path: message.path });
        break;
      case 'openJob':
        void runCommand('openJob', message.jobId);
        break;
      case 'loadEarlier':
        this.#loadEarlier(message.before);
        break;
      case 'openLogFile':
        void this.#openLog(message.what);
        break;
      case 'blocked':
        this.#options.parts.log.warn(
          `The page of ${this.jobId} was kept from loading something: ${JSON.stringify([message.directive, message.uri])}`,
        );
        break;
    }
  }

  async #openLog(what: 'transcript' | 'gate'): Promise<void> {
    const { parts, logDocuments } = this.#options;
    await reportFailures(parts, () => logDocuments.open(this.jobId, what))();
  }

  /** A page is there that knows nothing. */
  #startOver(): void {
    this.#delta.forget();
    this.#trouble = null;
    this.#logs = Object.fromEntries(
      PANEL_LOGS.map((what) => [what, this.#follower(what)]),
    ) as Record<PanelLog, LogFollower>;
    this.#tellMode();
    this.#tellTrust();
    if (this.#record !== null) this.#tellRecord(this.#record);
    this.#pacer.ask();
  }

  #follower(what: PanelLog): LogFollower {
    const { link } = this.#options.parts;
    const follower: LogFollower = new LogFollower({
      windowBytes: WINDOW_BYTES[what],
      read: (offset, maxBytes, fromLineStart) =>
        link.call('read_log', { jobId: this.jobId, what, offset, maxBytes, fromLineStart }),
      push: (chunk) => {
        // What an earlier page has asked for is not for the one that is there now.
        if (this.#logs?.[what] === follower) this.#tell({ type: 'log', what, ...chunk });
      },
    });
    return follower;
  }

  async #refresh(): Promise<void> {
    const logs = this.#logs;
    // Before there is a page the title is wanted; a page in the background wants nothing.
    if (logs === null && this.#record !== null) return;
    try {
      const { link } = this.#options.parts;
      const { job } = await link.call('job_status', { jobId: this.jobId });
      if (this.#isDisposed) return;
      this.#tellRecord(job);
      if (logs !== null) await this.#catchUp(logs);
      this.#tellTrouble(null);
      if (LIVE.has(job.status) && this.#logs !== null) this.#pollLater();
    } catch (error) {
      this.#tellTrouble(BridgeError.from(error));
    }
  }

  async #catchUp(logs: Readonly<Record<PanelLog, LogFollower>>): Promise<void> {
    for (const what of PANEL_LOGS) {
      await logs[what].catchUp();
      if (this.#logs === logs) this.#tell({ type: 'caughtUp', what });
    }
  }

  #loadEarlier(before: number): void {
    const follower = this.#logs?.events;
    if (follower === undefined || this.#earlier.has(before)) return;
    const loading = follower
      .loadEarlier(before)
      .catch((error: unknown) => this.#tellTrouble(BridgeError.from(error)))
      .finally(() => this.#earlier.delete(before));
    this.#earlier.set(before, loading);
  }

  #pollLater(): void {
    if (this.#poll !== null) return;
    this.#poll = setTimeout(() => {
      this.#poll = null;
      this.#pacer.ask();
    }, LIVE_POLL_MS);
  }

  #tellRecord(record: JobRecord): void {
    this.#record = record;
    const title = briefLine(record.task) || record.id;
    if (this.panel.title !== title) this.panel.title = title;
    const { icon } = jobFace(record);
    if (this.#icon !== icon) this.panel.iconPath = iconPath(this.#options.parts, icon);
    this.#icon = icon;
    if (this.#logs === null) return;
    const queuePosition = this.#options.parts.jobs.job(record.id)?.queuePosition ?? null;
    const fields = this.#delta.next(record);
    if (fields === null && queuePosition === this.#queuePosition) return;
    this.#queuePosition = queuePosition;
    this.#tell({ type: 'record', fields: fields ?? {}, queuePosition });
  }

  #tellTrouble(error: BridgeError | null): void {
    const trouble = error && {
      isGone: error.kind === 'unknown_job',
      message: error.message,
      hint: error.hint,
    };
    const text = JSON.stringify(trouble);
    if (this.#logs === null || text === (this.#trouble ?? 'null')) return;
    this.#trouble = text;
    this.#tell({ type: 'trouble', trouble });
  }

  #tellMode(): void {
    if (this.#wanted !== null) this.#tell({ type: 'show', mode: this.#wanted });
    this.#wanted = null;
  }

  #tellTrust(): void {
    this.#tell({ type: 'trust', isTrusted: vscode.workspace.isTrusted });
  }

  #tell(message: PanelMessage): void {
    void this.panel.webview.postMessage(message);
  }
}

function iconPath(
  { context }: HostParts,
  icon: string,
): { readonly light: vscode.Uri; readonly dark: vscode.Uri } {
  const file = (theme: string): vscode.Uri =>
    vscode.Uri.joinPath(context.extensionUri, 'media', 'job', `${icon}-${theme}.svg`);
  return { light: file('light'), dark: file('dark') };
}
