import * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';
import { Pacer } from '../../base/pacer.ts';
import type { FormState } from '../../protocol/modelsLanguage/formState.ts';
import type { FormMessage, FormPageMessage } from '../../protocol/registryForm/formMessages.ts';
import type { HostParts } from '../hostParts.ts';
import { fillWebview } from '../webview/fillWebview.ts';
import { FormActions } from './formActions.ts';
import { FormDocument } from './formDocument.ts';
import { FormLive } from './formLive.ts';
import { isReadonlyFile } from './isReadonlyFile.ts';
import { openAsYaml } from './openOther.ts';

const MIN_GAP_MS = 60;
/** With these a person holds files read-only in VS Code. */
const READONLY_SETTINGS = ['files.readonlyInclude', 'files.readonlyExclude'] as const;
/** Nobody has had the focus: where a person left off is not known. */
const NOWHERE: readonly (string | number)[] = [];

interface RegistryFormOptions {
  readonly parts: HostParts;
  readonly document: vscode.TextDocument;
  readonly panel: vscode.WebviewPanel;
  /** The key that is brought into view at first; empty: as it was left. */
  readonly place: readonly (string | number)[];
  readonly readFormMessage: (message: unknown) => FormPageMessage | null;
}

/** One tab with the form of a models.yaml. The text is VS Code's own document: undo, save, hot exit and conflicts are as with any text. */
export class RegistryForm implements vscode.Disposable {
  readonly panel: vscode.WebviewPanel;
  readonly document: FormDocument;
  readonly #options: RegistryFormOptions;
  readonly #live: FormLive;
  readonly #actions: FormActions;
  readonly #pacer = new Pacer(() => this.#refresh(), MIN_GAP_MS);
  readonly #subscriptions: { dispose(): unknown }[] = [];
  /** A page has said that it listens, and has not been hidden since. */
  #isListening = false;
  #hasFields = false;
  /** The page was told that something does not work. */
  #isTroubled = false;
  #wanted: readonly (string | number)[];
  #focus = NOWHERE;
  /** What the page was told last. */
  #state: FormState | null = null;

  constructor(options: RegistryFormOptions) {
    const { parts, panel, document } = options;
    this.#options = options;
    this.#wanted = options.place;
    this.panel = panel;
    this.document = new FormDocument(document, parts.language);
    const tell = (message: FormMessage): void => this.#tell(message);
    this.#live = new FormLive(parts, tell);
    this.#actions = new FormActions({
      ...{ parts, tell, document: this.document, live: this.#live },
      state: () => this.#state,
      changed: () => this.#pacer.ask(),
    });
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
      parts.language.onDidChangeState(() => this.#pacer.ask()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#tellTrust()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (!READONLY_SETTINGS.some((setting) => change.affectsConfiguration(setting))) return;
        this.document.lookAgain();
        this.#pacer.ask();
      }),
      this.#pacer,
      this.#live,
      this.#actions,
    );
    fillWebview(panel.webview, parts.context.extensionUri, {
      ...{ title: 'models.yaml', bundle: 'registryForm' },
    });
  }

  /** Brings a key into view, and the focus to it. */
  show(path: readonly (string | number)[]): void {
    this.#wanted = path;
    this.#pacer.ask();
  }

  /** Puts the text in the place of the form, at the key that had the focus last. */
  openAsYaml(): Promise<void> {
    return openAsYaml(this, this.#focus);
  }

  /** For whoever closes the tab: the panel is gone already. */
  dispose(): void {
    this.#isListening = false;
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #onVisible(): void {
    if (this.panel.visible) return;
    // A page that is hidden is thrown away by VS Code; the one that comes back says that it is ready.
    this.#isListening = false;
    this.#live.stop();
  }

  #onMessage(raw: unknown): void {
    const { log } = this.#options.parts;
    const message = this.#options.readFormMessage(raw);
    if (message === null) {
      log.warn('The form of models.yaml said something that is not understood.');
      return;
    }
    switch (message.type) {
      case 'ready':
        this.#startOver();
        break;
      case 'focus':
        this.#focus = message.path;
        break;
      case 'openYaml':
        this.#inBackground(openAsYaml(this, message.path.length > 0 ? message.path : this.#focus));
        break;
      case 'blocked':
        log.warn(
          `The form of models.yaml was kept from loading something: ${JSON.stringify([message.directive, message.uri])}`,
        );
        break;
      default:
        void this.#actions.run(message);
    }
  }

  /** A page is there that knows nothing. */
  #startOver(): void {
    this.#isListening = true;
    this.#hasFields = false;
    this.document.lookAgain();
    this.#pacer.ask();
  }

  async #refresh(): Promise<void> {
    if (!this.#isListening) return;
    try {
      await this.#tellFields();
      await this.#tellState();
    } catch (error) {
      const { message, hint } = BridgeError.from(error);
      this.#tellTrouble(message, hint);
    }
  }

  async #tellFields(): Promise<void> {
    if (this.#hasFields) return;
    const root = await this.document.fields();
    if (!this.#isListening) return;
    this.#hasFields = true;
    // The page can place nothing before it has its fields.
    this.#tell({ type: 'fields', root });
    this.#tellTrust();
    this.#live.start();
    this.#actions.startOver();
  }

  async #tellState(): Promise<void> {
    const { document } = this.#options;
    const state = await this.document.state();
    if (state === null) {
      this.#tellTrouble('This file cannot be shown as a form.', 'Open it as YAML.');
      return;
    }
    if (state.version !== document.version) {
      // The text has changed meanwhile, or the language server has not heard of it yet.
      this.#pacer.ask();
      return;
    }
    const isReadonly = this.document.isHeldReadonly || (await isReadonlyFile(document.uri));
    this.#state = state;
    if (this.#isTroubled) this.#tellTrouble('', '');
    this.#tell({ type: 'state', state, isReadonly });
    if (this.#wanted.length > 0) this.#tell({ type: 'show', path: [...this.#wanted] });
    this.#wanted = NOWHERE;
  }

  /** An empty one: it is over. */
  #tellTrouble(message: string, hint: string): void {
    this.#isTroubled = message !== '';
    this.#tell({ type: 'told', about: 'form', isError: this.#isTroubled, message, hint });
  }

  #tellTrust(): void {
    this.#tell({ type: 'trust', isTrusted: vscode.workspace.isTrusted });
  }

  #tell(message: FormMessage): void {
    if (this.#isListening) void this.panel.webview.postMessage(message);
  }

  #inBackground(work: Promise<void>): void {
    work.catch((error: unknown) => {
      const { message, hint } = BridgeError.from(error);
      this.#tellTrouble(message, hint);
    });
  }
}
