import * as path from 'node:path';
import * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';
import { type Disposable, Emitter } from '../../base/emitter.ts';
import type { LiveFacts } from '../../protocol/modelsLanguage/liveFacts.ts';
import { NO_LIVE_FACTS } from '../../protocol/modelsLanguage/noLiveFacts.ts';
import type {
  LanguageParams,
  LanguageRequest,
  LanguageResult,
} from '../../protocol/modelsLanguage/requests.ts';
import type { HostParts } from '../hostParts.ts';
import type { LanguageSession } from './languageSession.ts';

/** The language server of models.yaml as the rest of the extension sees it: it is started with the first models.yaml that is opened. */
export class ModelsLanguage implements Disposable {
  readonly #parts: Pick<HostParts, 'context' | 'log'>;
  readonly #formChanges: Emitter<string>;
  readonly #subscriptions: Disposable[];
  #session: Promise<LanguageSession> | null = null;

  constructor(parts: Pick<HostParts, 'context' | 'log'>) {
    this.#parts = parts;
    this.#formChanges = new Emitter((error) => parts.log.error(BridgeError.from(error).message));
    this.#subscriptions = [
      vscode.workspace.onDidOpenTextDocument((document) => this.#startFor(document)),
      this.#formChanges,
    ];
    for (const document of vscode.workspace.textDocuments) this.#startFor(document);
  }

  /** The state of the form of a document (its URI as text) is another one. */
  readonly onDidChangeForm = (listener: (uri: string) => void): Disposable =>
    this.#formChanges.event(listener);

  /** @throws BridgeError `server_unavailable` when the language server does not start or ends meanwhile */
  async request<Name extends LanguageRequest>(
    name: Name,
    params: LanguageParams<Name>,
  ): Promise<LanguageResult<Name>> {
    const session = await this.#started();
    return session.request(name, params);
  }

  async stop(): Promise<void> {
    const session = this.#session;
    this.#session = null;
    if (session !== null) await (await session).stop();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #startFor({ uri }: vscode.TextDocument): void {
    if (!isModelsFile(uri)) return;
    void this.#started().catch((error: unknown) =>
      this.#parts.log.error(`models.yaml is not checked: ${BridgeError.from(error).message}`),
    );
  }

  #started(): Promise<LanguageSession> {
    this.#session ??= this.#start().catch((error: unknown) => {
      this.#session = null;
      throw error;
    });
    return this.#session;
  }

  async #start(): Promise<LanguageSession> {
    const { context, log } = this.#parts;
    const { startLanguageSession } = await import('./languageSession.ts');
    return startLanguageSession({
      serverModule: path.join(context.extensionPath, 'dist', 'languageServer.cjs'),
      selector: [
        { scheme: 'file', pattern: '**/models.yaml' },
        { scheme: 'file', pattern: '**/models.local.yaml' },
      ],
      languageOptions: {
        folders: (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath),
      },
      log,
      live: () => this.#live(),
      onFormChanged: (uri) => this.#formChanges.fire(uri),
    });
  }

  async #live(): Promise<LiveFacts> {
    return NO_LIVE_FACTS;
  }
}

function isModelsFile({ scheme, fsPath }: vscode.Uri): boolean {
  return scheme === 'file' && /[/\\]models(\.local)?\.yaml$/.test(fsPath);
}
