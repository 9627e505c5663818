import type * as vscode from 'vscode';
import type { HostParts } from '../hostParts.ts';
import { RegistryForm } from './registryForm.ts';

/** Makes the forms of models.yaml: as many as there are tabs, each for the document that VS Code opens for it. */
export class RegistryForms implements vscode.CustomTextEditorProvider, vscode.Disposable {
  readonly #parts: HostParts;
  readonly #open = new Set<RegistryForm>();

  constructor(parts: HostParts) {
    this.#parts = parts;
  }

  async resolveCustomTextEditor(
    document: vscode.TextDocument,
    panel: vscode.WebviewPanel,
  ): Promise<void> {
    const { readFormMessage } = await import('./readFormMessage.ts');
    const form = new RegistryForm({ parts: this.#parts, document, panel, readFormMessage });
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

  dispose(): void {
    for (const form of this.#open) form.dispose();
  }
}
