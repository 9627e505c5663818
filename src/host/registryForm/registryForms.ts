import type * as vscode from 'vscode';
import type { HostParts } from '../hostParts.ts';
import { FormDocument } from './formDocument.ts';
import { openAsForm } from './openOther.ts';
import { RegistryForm } from './registryForm.ts';

/** Makes the forms of models.yaml: as many as there are tabs, each for the document that VS Code opens for it. */
export class RegistryForms implements vscode.CustomTextEditorProvider, vscode.Disposable {
  readonly #parts: HostParts;
  readonly #open = new Set<RegistryForm>();
  /** Where the next form of a document begins, by URI. */
  readonly #places = new Map<string, readonly (string | number)[]>();

  constructor(parts: HostParts) {
    this.#parts = parts;
  }

  async resolveCustomTextEditor(
    document: vscode.TextDocument,
    panel: vscode.WebviewPanel,
  ): Promise<void> {
    const { readFormMessage } = await import('./readFormMessage.ts');
    const uri = document.uri.toString();
    const place = this.#places.get(uri) ?? [];
    this.#places.delete(uri);
    const form = new RegistryForm({ parts: this.#parts, document, panel, place, readFormMessage });
    this.#open.add(form);
    panel.onDidDispose(() => {
      this.#open.delete(form);
      form.dispose();
    });
  }

  /** The form in front; undefined: another editor is. */
  get active(): RegistryForm | undefined {
    return [...this.#open].find((form) => form.panel.active);
  }

  /** Puts the form in the place of the text in front, at the key that the cursor is in. */
  async openForm(editor: vscode.TextEditor): Promise<void> {
    const { document } = editor;
    const path = await new FormDocument(document, this.#parts.language).pathAt(
      editor.selection.active,
    );
    this.#places.set(document.uri.toString(), path);
    await openAsForm(editor);
    // One that was open already in this group has come to the front, and nothing was made.
    const known = this.active;
    if (known?.document.document === document && this.#places.delete(document.uri.toString()))
      known.show(path);
  }

  dispose(): void {
    for (const form of this.#open) form.dispose();
  }
}
