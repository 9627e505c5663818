import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';
import type { UiAnswer } from '../../protocol/ui/uiTools.ts';
import type { HostParts } from '../hostParts.ts';
import { isAgentFile } from './agentFile.ts';

/** Long enough that nobody types into the middle of an answer. */
const PAUSE_MS = 300;
const WATCHED = '.claude/{agents,skills}/**';

type Parts = Pick<HostParts, 'link' | 'overview' | 'log'>;
type View = UiAnswer<'check_agents'>;
export type CheckedAgent = View['agents'][number];

/**
 * Agent and skill definitions as the bridge reads them, with the text of open editors. In Restricted Mode nothing under `.claude` is
 * watched, read or sent.
 */
export class AgentChecks implements vscode.Disposable {
  readonly #parts: Parts;
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #subscriptions: { dispose(): unknown }[];
  #watchers: vscode.Disposable[] = [];
  #views: readonly View[] = [];
  #timer: NodeJS.Timeout | null = null;
  #checking: Promise<void> | null = null;
  #isStale = false;
  #served = '';

  constructor(parts: Parts) {
    this.#parts = parts;
    const { link, overview } = parts;
    const ifOurs = ({ uri }: vscode.TextDocument): void => {
      if (this.#mayBeOurs(uri)) this.#soon();
    };
    this.#subscriptions = [
      this.#changes,
      vscode.workspace.onDidOpenTextDocument(ifOurs),
      vscode.workspace.onDidCloseTextDocument(ifOurs),
      vscode.workspace.onDidSaveTextDocument(ifOurs),
      vscode.workspace.onDidChangeTextDocument(({ document }) => ifOurs(document)),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.#watch()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#watch()),
      link.onDidChangeState(({ kind }) => {
        if (kind === 'running') this.#soon();
      }),
      overview.onDidChange(() => {
        const served = JSON.stringify(this.#servedNames());
        if (served !== this.#served) this.#soon();
      }),
    ];
    this.#watch();
  }

  readonly onDidChange = this.#changes.event;

  /** What was found at the last look. The user's own definitions are of interest while they are open. */
  get views(): readonly View[] {
    return this.#views;
  }

  /** The definition in a file, after a check that is due. */
  async agent(path: string): Promise<CheckedAgent | null> {
    if (this.#timer !== null) await this.#now();
    await this.#checking;
    return this.#views.flatMap(({ agents }) => agents).find((each) => each.path === path) ?? null;
  }

  dispose(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    for (const each of [...this.#subscriptions, ...this.#watchers]) each.dispose();
  }

  #watch(): void {
    for (const watcher of this.#watchers.splice(0)) watcher.dispose();
    if (!vscode.workspace.isTrusted) return;
    this.#watchers = this.#folders().flatMap((folder) => {
      const pattern = new vscode.RelativePattern(vscode.Uri.file(folder), WATCHED);
      const watcher = vscode.workspace.createFileSystemWatcher(pattern);
      const soon = (): void => this.#soon();
      return [
        watcher,
        ...[watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete].map((on) => on(soon)),
      ];
    });
    this.#soon();
  }

  #soon(): void {
    if (!vscode.workspace.isTrusted) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#now(), PAUSE_MS);
  }

  /** Calls while a check is under way are answered together by one more. */
  async #now(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#isStale = true;
    this.#checking ??= this.#untilFresh().finally(() => (this.#checking = null));
    await this.#checking;
  }

  async #untilFresh(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      if (!vscode.workspace.isTrusted || this.#parts.link.state.kind !== 'running') return;
      try {
        this.#views = await this.#check();
      } catch (error) {
        // What was found stays until somebody can say otherwise.
        this.#parts.log.warn(`Agent definitions: ${BridgeError.from(error).message}`);
        return;
      }
      this.#changes.fire();
    }
  }

  async #check(): Promise<View[]> {
    const served = this.#servedNames();
    this.#served = JSON.stringify(served);
    const open = vscode.workspace.textDocuments
      .filter(({ uri, isDirty }) => isDirty && this.#mayBeOurs(uri))
      .map((document) => ({ path: document.uri.fsPath, text: document.getText() }));
    const folders = this.#folders();
    return Promise.all(
      (folders.length > 0 ? folders : [homedir()]).map((cwd) =>
        this.#parts.link.call('check_agents', {
          ...{ cwd, open },
          ...(served === null ? {} : { served }),
        }),
      ),
    );
  }

  #servedNames(): string[] | null {
    const { overview } = this.#parts.overview;
    if (overview?.isProbed !== true) return null;
    const names = overview.endpoints.flatMap(({ probe }) => probe.models.map(({ id }) => id));
    return [...new Set(names)].sort();
  }

  #mayBeOurs({ scheme, fsPath }: vscode.Uri): boolean {
    if (scheme !== 'file') return false;
    return (
      isAgentFile(fsPath) ||
      this.#views.some(({ agents }) => agents.some((agent) => agent.path === fsPath))
    );
  }

  #folders(): string[] {
    return (vscode.workspace.workspaceFolders ?? [])
      .filter(({ uri }) => uri.scheme === 'file')
      .map(({ uri }) => uri.fsPath);
  }
}
