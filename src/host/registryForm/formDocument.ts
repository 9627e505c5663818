import * as vscode from 'vscode';
import type { ConfigEdit, TextChange } from '../../protocol/modelsLanguage/configEdit.ts';
import type { FormState } from '../../protocol/modelsLanguage/formState.ts';
import type { ModelsLanguage } from '../modelsLanguage/modelsLanguage.ts';

export interface EditOutcome {
  readonly outcome: 'done' | 'stale' | 'refused';
  readonly message: string;
}

const DONE: EditOutcome = { outcome: 'done', message: '' };
const STALE: EditOutcome = {
  outcome: 'stale',
  message: 'The text has changed meanwhile, so this was not written.',
};

/** The document of a form: read and changed by keys, through the language server; every change is one step of Undo. */
export class FormDocument {
  readonly #document: vscode.TextDocument;
  readonly #language: Pick<ModelsLanguage, 'request'>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(document: vscode.TextDocument, language: Pick<ModelsLanguage, 'request'>) {
    this.#document = document;
    this.#language = language;
  }

  get version(): number {
    return this.#document.version;
  }

  get #uri(): string {
    return this.#document.uri.toString();
  }

  /** Null: the language server does not know the document. */
  state(): Promise<FormState | null> {
    return this.#language.request('delegationBridge/formState', { uri: this.#uri });
  }

  async isReadonly(): Promise<boolean> {
    const { permissions } = await vscode.workspace.fs.stat(this.#document.uri);
    return permissions === vscode.FilePermission.Readonly;
  }

  /** Makes edits that were meant for this version of the text. One after the other: each sees what the one before it has made. */
  edit(version: number, edits: readonly ConfigEdit[]): Promise<EditOutcome> {
    const done = this.#last.then(() => this.#edit(version, edits));
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #edit(version: number, edits: readonly ConfigEdit[]): Promise<EditOutcome> {
    if (version !== this.version) return STALE;
    const answer = await this.#language.request('delegationBridge/edit', {
      ...{ uri: this.#uri, version, edits: [...edits] },
    });
    if (answer.kind === 'stale') return STALE;
    if (answer.kind === 'refused') return { outcome: 'refused', message: answer.message };
    return await this.#apply(version, answer.changes);
  }

  async #apply(version: number, changes: readonly TextChange[]): Promise<EditOutcome> {
    if (version !== this.version) return STALE;
    if (changes.length === 0) return DONE;
    const edit = new vscode.WorkspaceEdit();
    for (const { range, newText } of changes) {
      const { start, end } = range;
      const place = new vscode.Range(start.line, start.character, end.line, end.character);
      edit.replace(this.#document.uri, place, newText);
    }
    if (await vscode.workspace.applyEdit(edit)) return DONE;
    if (version !== this.version) return STALE;
    return { outcome: 'refused', message: 'VS Code does not let this file be changed.' };
  }
}
