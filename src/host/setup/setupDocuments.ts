import * as vscode from 'vscode';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { BridgeError } from '../../base/bridgeError.ts';
import { applySplice } from '../../base/splice.ts';
import { SCHEMES } from '../../contributions.ts';
import type { SetupPlan } from '../../protocol/ui/uiTools.ts';

type FileChange = SetupPlan['parts'][number]['changes'][number];
/** As the command vscode.changes takes it: the file, and its two sides where there is one. */
type Resource = [vscode.Uri, vscode.Uri | undefined, vscode.Uri | undefined];

/** The files of a set-up before and after, as documents that can be read and not written. */
export class SetupDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #registration: vscode.Disposable;
  #round = 0;

  constructor() {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(SCHEMES.setup, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const text = this.#texts.get(uri.toString());
    if (text === undefined)
      throw new BridgeError('wrong_state', 'This change is not shown any more.');
    return text;
  }

  /**
   * Opens the changes, each as a diff.
   * @throws BridgeError `setup_failed` when a file is not as the plan saw it
   */
  async show(title: string, changes: readonly FileChange[]): Promise<void> {
    this.#round++;
    this.#texts.clear();
    const resources: Resource[] = [];
    for (const change of changes) resources.push(await this.#resource(change));
    await vscode.commands.executeCommand('vscode.changes', title, resources);
  }

  /** Closes what `show` has opened. VS Code tells nothing of such a tab but its label, which begins with the title. */
  async close(title: string): Promise<void> {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const own = tabs.filter(({ label, input }) => label.startsWith(title) && !hasFile(input));
    await vscode.window.tabGroups.close(own);
    this.#texts.clear();
  }

  dispose(): void {
    this.#registration.dispose();
  }

  async #resource({ file, beforeSha256, splice }: FileChange): Promise<Resource> {
    const before = beforeSha256 === null ? '' : await readFile(file, 'utf8');
    if (beforeSha256 !== null && sha256(before) !== beforeSha256) {
      throw new BridgeError('setup_failed', `${file} was changed just now.`, {
        hint: 'Try again.',
      });
    }
    const after = splice === null ? undefined : applySplice(before, splice);
    return [
      vscode.Uri.file(file),
      beforeSha256 === null ? undefined : this.#keep(file, 'before', before),
      after === undefined ? undefined : this.#keep(file, 'after', after),
    ];
  }

  /** A new address each time: VS Code keeps a document that it has shown. */
  #keep(file: string, side: 'before' | 'after', text: string): vscode.Uri {
    const query = `${side}-${this.#round}`;
    const uri = vscode.Uri.file(file).with({ scheme: SCHEMES.setup, query });
    // VS Code takes the byte order mark off a file and would show it here.
    this.#texts.set(uri.toString(), text.replace(/^\ufeff/, ''));
    return uri;
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

function hasFile(input: unknown): boolean {
  return input instanceof vscode.TabInputText || input instanceof vscode.TabInputTextDiff;
}
