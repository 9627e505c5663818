import * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';
import { Pacer } from '../../base/pacer.ts';
import type { ConfigEdit } from '../../protocol/modelsLanguage/configEdit.ts';
import { NO_LIVE_FACTS } from '../../protocol/modelsLanguage/noLiveFacts.ts';
import type { FormMessage, FormPageMessage } from '../../protocol/registryForm/formMessages.ts';
import type { HostParts } from '../hostParts.ts';
import { fillWebview } from '../webview/fillWebview.ts';
import { FormDocument } from './formDocument.ts';

const MIN_GAP_MS = 60;

export interface RegistryFormOptions {
  readonly parts: HostParts;
  readonly document: vscode.TextDocument;
  readonly panel: vscode.WebviewPanel;
  readonly readFormMessage: (message: unknown) => FormPageMessage | null;
}

/** One tab with the form of a models.yaml. The text is VS Code's own document: undo, save, hot exit and conflicts are as with any text. */
export class RegistryForm implements vscode.Disposable {
  readonly panel: vscode.WebviewPanel;
  readonly #options: RegistryFormOptions;
  readonly #document: FormDocument;
  readonly #pacer = new Pacer(() => this.#refresh(), MIN_GAP_MS);
  readonly #subscriptions: { dispose(): unknown }[] = [];
  /** A page has said that it listens, and has not been hidden since. */
  #isListening = false;
  #hasFields = false;
  #isDisposed = false;

  constructor(options: RegistryFormOptions) {
    const { parts, panel, document } = options;
    this.#options = options;
    this.panel = panel;
    this.#document = new FormDocument(document, parts.language);
    const uri = document.uri.toString();
    this.#subscriptions.push(
      panel.webview.onDidReceiveMessage((message: unknown) => this.#onMessage(message)),
      panel.onDidChangeViewState(() => this.#onVisible()),
      vscode.workspace.onDidChangeTextDocument((change) => {
        if (change.document === document && change.contentChanges.length > 0) this.#pacer.ask();
      }),
      parts.language.onDidChangeForm((changed) => {
        if (changed === uri) this.#pacer.ask();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#tellTrust()),
      this.#pacer,
    );
    fillWebview(panel.webview, parts.context.extensionUri, {
      ...{ title: 'models.yaml', bundle: 'registryForm' },
    });
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#isListening = false;
    this.#isDisposed = true;
  }

  #onVisible(): void {
    // A page that is hidden is thrown away by VS Code; the one that comes back says that it is ready.
    if (!this.panel.visible) this.#isListening = false;
  }

  #onMessage(raw: unknown): void {
    const message = this.#options.readFormMessage(raw);
    if (message === null) {
      this.#options.parts.log.warn(
        'The form of models.yaml said something that is not understood.',
      );
      return;
    }
    switch (message.type) {
      case 'ready':
        this.#isListening = true;
        this.#hasFields = false;
        this.#tellTrust();
        this.#tell({ type: 'live', live: NO_LIVE_FACTS, isAsking: false });
        this.#pacer.ask();
        break;
      case 'edit':
        void this.#edit(message.id, message.version, message.edits);
        break;
      case 'blocked':
        this.#options.parts.log.warn(
          `The form of models.yaml was kept from loading something: ${JSON.stringify([message.directive, message.uri])}`,
        );
        break;
      default:
        break;
    }
  }

  async #edit(id: number, version: number, edits: readonly ConfigEdit[]): Promise<void> {
    const { outcome, message } = await this.#document.edit(version, edits);
    this.#tell({ type: 'edited', id, outcome, message });
    if (outcome !== 'done') this.#pacer.ask();
  }

  async #refresh(): Promise<void> {
    if (!this.#isListening) return;
    try {
      if (!this.#hasFields) {
        const root = await this.#options.parts.language.request('delegationBridge/formFields', {});
        this.#hasFields = true;
        this.#tell({ type: 'fields', root });
      }
      const state = await this.#document.state();
      if (state === null) {
        this.#tellTrouble('This file cannot be shown as a form.', 'Open it as YAML.');
        return;
      }
      // The text has changed meanwhile, or the language server has not heard of it yet.
      if (state.version !== this.#document.version) this.#pacer.ask();
      else this.#tell({ type: 'state', state, isReadonly: await this.#document.isReadonly() });
    } catch (error) {
      const { message, hint } = BridgeError.from(error);
      this.#tellTrouble(message, hint);
    }
  }

  #tellTrouble(message: string, hint: string): void {
    this.#tell({ type: 'told', about: 'form', isError: true, message, hint });
  }

  #tellTrust(): void {
    this.#tell({ type: 'trust', isTrusted: vscode.workspace.isTrusted });
  }

  #tell(message: FormMessage): void {
    if (this.#isListening && !this.#isDisposed) void this.panel.webview.postMessage(message);
  }
}
