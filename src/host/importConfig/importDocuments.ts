import * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';
import { SCHEMES } from '../../contributions.ts';

/** A models.yaml as an import would leave it, as a document that can be read and not written. */
export class ImportDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #registration: vscode.Disposable;
  #round = 0;

  constructor() {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(SCHEMES.import, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const text = this.#texts.get(uri.toString());
    if (text === undefined)
      throw new BridgeError('wrong_state', 'This import is not shown any more.');
    return text;
  }

  /** A new address each time: VS Code keeps a document that it has shown. */
  keep(file: string, side: 'before' | 'after', text: string): vscode.Uri {
    this.#round++;
    const uri = vscode.Uri.file(file).with({
      scheme: SCHEMES.import,
      query: `${side}-${this.#round}`,
    });
    this.#texts.set(uri.toString(), text);
    return uri;
  }

  /** Forgets what was shown, and closes its tabs. */
  async close(): Promise<void> {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(isImport);
    await vscode.window.tabGroups.close(tabs);
    this.#texts.clear();
  }

  dispose(): void {
    this.#registration.dispose();
  }
}

/** The tab of a diff that shows an import. */
export function isImport({ input }: vscode.Tab): boolean {
  return input instanceof vscode.TabInputTextDiff && input.modified.scheme === SCHEMES.import;
}
