import { homedir } from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';
import { type Disposable, Emitter } from '../../base/emitter.ts';
import type { LiveFacts } from '../../protocol/modelsLanguage/liveFacts.ts';
import type {
  LanguageParams,
  LanguageRequest,
  LanguageResult,
} from '../../protocol/modelsLanguage/requests.ts';
import { childEnvironment } from '../bridge/childEnvironment.ts';
import { systemClock } from '../bridge/systemClock.ts';
import type { HostParts } from '../hostParts.ts';
import { ChangeThrottle } from '../views/changeThrottle.ts';
import { workspaceFolder } from '../workspaceFolder.ts';
import { ConfigDocuments } from './configDocuments.ts';
import type { LanguageSession } from './languageSession.ts';
import type { LanguageState } from './languageState.ts';
import { LiveFactsSource } from './liveFactsSource.ts';
import { RestartPlan } from './restartPlan.ts';

type Parts = Pick<HostParts, 'context' | 'log' | 'overview' | 'link'>;

/**
 * The language server of models.yaml as the rest of the extension sees it. It is started with the first document of the
 * configuration, and again when it ends by itself, until that happens too often.
 */
export class ModelsLanguage implements Disposable {
  readonly #parts: Parts;
  readonly #documents: ConfigDocuments;
  readonly #live: LiveFactsSource;
  readonly #formChanges: Emitter<string>;
  readonly #stateChanges: Emitter<void>;
  readonly #told: ChangeThrottle<never>;
  readonly #restarts = new RestartPlan(() => performance.now());
  readonly #subscriptions: Disposable[];
  #state: LanguageState = { kind: 'idle' };
  #session: Promise<LanguageSession> | null = null;
  #running: LanguageSession | null = null;
  #cancelRestart: (() => void) | null = null;
  #isStopped = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { overview, link, log } = parts;
    const failed = (error: unknown): void => log.error(BridgeError.from(error).message);
    this.#documents = new ConfigDocuments();
    this.#formChanges = new Emitter(failed);
    this.#stateChanges = new Emitter(failed);
    this.#told = new ChangeThrottle(systemClock, () => this.#running?.liveChanged());
    this.#live = new LiveFactsSource({
      ...{ overview, link, log, nowMs: Date.now },
      isTrusted: () => vscode.workspace.isTrusted,
    });
    this.#subscriptions = [
      this.#documents,
      this.#formChanges,
      this.#stateChanges,
      this.#told,
      vscode.workspace.onDidOpenTextDocument((document) => this.#startFor(document)),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.liveChanged()),
      overview.onDidChange(() => this.liveChanged()),
      // A bridge that was not there can answer now.
      link.onDidChangeState(({ kind }) => {
        if (kind === 'running' && this.#running !== null && vscode.workspace.isTrusted)
          void overview.refresh();
      }),
      // What was saved counts from now on, so what the endpoints were asked for is old.
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (this.isConfig(uri) && vscode.workspace.isTrusted) void overview.refresh();
      }),
      this.#documents.onDidChange(() => void this.#startAnew()),
    ];
    for (const document of vscode.workspace.textDocuments) this.#startFor(document);
  }

  /** The state of the form of a document (its URI as text) is another one. */
  readonly onDidChangeForm = (listener: (uri: string) => void): Disposable =>
    this.#formChanges.event(listener);

  readonly onDidChangeState = (listener: () => void): Disposable =>
    this.#stateChanges.event(listener);

  get state(): LanguageState {
    return this.#state;
  }

  /** The documents that it is for, as VS Code selects them. */
  get selector(): vscode.DocumentSelector {
    return this.#documents.selector;
  }

  /** Paths of the files that the configuration of this window is made of; they need not exist. */
  get files(): readonly string[] {
    return this.#documents.files;
  }

  /** Whether a file is part of the configuration of this window. */
  isConfig(uri: vscode.Uri): boolean {
    return this.#documents.has(uri);
  }

  /** What endpoints, pools and the secret store say; see LiveFactsSource. */
  live(maxAgeMs: number): Promise<LiveFacts> {
    return this.#live.facts(maxAgeMs);
  }

  /** Tells the language server that `live` would be answered otherwise now. */
  liveChanged(): void {
    this.#told.add(null);
  }

  /** @throws BridgeError `server_unavailable` when the language server does not start or ends meanwhile */
  async request<Name extends LanguageRequest>(
    name: Name,
    params: LanguageParams<Name>,
  ): Promise<LanguageResult<Name>> {
    const { uri } = params as { readonly uri?: string };
    // One that is opened as a form although it is no file of the configuration.
    if (uri !== undefined && this.#documents.add(vscode.Uri.parse(uri))) await this.#startAnew();
    const session = await this.#started();
    try {
      return await session.request(name, params);
    } catch (error) {
      if (session === this.#running) throw BridgeError.from(error);
      throw unavailable('The language server of models.yaml ended meanwhile.');
    }
  }

  /** Starts it, or starts it anew, because a person wants it. */
  async restart(): Promise<void> {
    this.#restarts.forget();
    await this.#end();
    await this.#started();
  }

  /** Ends the process for good. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#end();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#cancelRestart?.();
  }

  #startFor({ uri }: vscode.TextDocument): void {
    if (!this.isConfig(uri) || this.#state.kind !== 'idle') return;
    this.#inBackground(this.#started());
  }

  /** The documents that it is for have changed. */
  async #startAnew(): Promise<void> {
    if (this.#session === null) return;
    await this.#end();
    this.#inBackground(this.#started());
  }

  async #started(): Promise<LanguageSession> {
    if (this.#isStopped) throw unavailable('Delegation Bridge has ended.');
    if (this.#state.kind === 'ended') throw unavailable(this.#state.reason);
    this.#cancelRestart?.();
    this.#cancelRestart = null;
    this.#session ??= this.#start();
    return this.#session;
  }

  #start(): Promise<LanguageSession> {
    this.#become({ kind: 'starting' });
    const starting: Promise<LanguageSession> = this.#connect().then(
      (session) => {
        if (this.#session !== starting) {
          void session.stop();
          throw unavailable('The language server of models.yaml was ended.');
        }
        this.#running = session;
        this.#become({ kind: 'running' });
        void session.ended.then((reason) => this.#ended(starting, reason));
        return session;
      },
      (error: unknown) => {
        const reason = `The language server of models.yaml does not start: ${BridgeError.from(error).message}`;
        this.#ended(starting, reason);
        throw unavailable(reason);
      },
    );
    return starting;
  }

  async #connect(): Promise<LanguageSession> {
    const { context, log } = this.#parts;
    const { startLanguageSession } = await import('./languageSession.ts');
    const { folders, protocolSelector: selector, fileEvents } = this.#documents;
    return startLanguageSession({
      commandLine: {
        command: process.execPath,
        args: [path.join(context.extensionPath, 'dist', 'languageServer.cjs'), '--stdio'],
        cwd: workspaceFolder() ?? homedir(),
        env: childEnvironment(process.env),
      },
      ...{ selector, fileEvents, log, languageOptions: { folders: [...folders] } },
      live: (maxAgeMs) => this.live(maxAgeMs),
      onFormChanged: (uri) => this.#formChanges.fire(uri),
    });
  }

  /** It has ended, by itself unless another one is in its place. */
  #ended(which: Promise<LanguageSession>, reason: string): void {
    if (this.#session !== which) return;
    this.#session = null;
    this.#running = null;
    const delayMs = this.#restarts.next();
    if (delayMs === null) {
      this.#parts.log.error(`${reason} It is not started again by itself.`);
      this.#become({ kind: 'ended', reason });
      return;
    }
    this.#parts.log.warn(`${reason} It is started again in ${delayMs} ms.`);
    this.#become({ kind: 'waiting', reason });
    this.#cancelRestart = systemClock.after(delayMs, () => {
      this.#cancelRestart = null;
      this.#inBackground(this.#started());
    });
  }

  /** What is under way has no say any more; its process is gone when this resolves. */
  async #end(): Promise<void> {
    this.#cancelRestart?.();
    this.#cancelRestart = null;
    const session = this.#session;
    this.#session = null;
    this.#running = null;
    this.#become({ kind: 'idle' });
    // One that is still starting is stopped as soon as it has.
    await session?.then(
      (started) => started.stop(),
      () => undefined,
    );
  }

  #become(state: LanguageState): void {
    this.#state = state;
    this.#stateChanges.fire();
  }

  #inBackground(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#parts.log.warn(BridgeError.from(error).message));
  }
}

function unavailable(message: string): BridgeError {
  return new BridgeError('server_unavailable', message, {
    hint: 'Run "Delegate: Restart Language Server".',
  });
}
