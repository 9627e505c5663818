import * as vscode from 'vscode';
import type { ConfigEdit, TextChange } from '../../protocol/modelsLanguage/configEdit.ts';
import type { FormField, FormState } from '../../protocol/modelsLanguage/formState.ts';
import type { LanguageResult } from '../../protocol/modelsLanguage/requests.ts';
import type { ModelsLanguage } from '../modelsLanguage/modelsLanguage.ts';
import { applyEdit } from '../applyEdit.ts';
import { withTimeLimit } from './withTimeLimit.ts';

interface EditOutcome {
  readonly outcome: 'done' | 'stale' | 'refused';
  /** Empty when it is done. */
  readonly message: string;
}

/** A place in the text that a fix names beside its change: the key there has to be kept first. */
type MoveSecret = Extract<LanguageResult<'delegationBridge/fix'>, { kind: 'moveSecret' }>;

/** The language server answers within milliseconds; one that does not must not keep a form waiting. */
const ANSWER_LIMIT_MS = 15_000;
const SILENT = 'The language server of models.yaml does not answer.';

const DONE: EditOutcome = { outcome: 'done', message: '' };
const STALE: EditOutcome = {
  outcome: 'stale',
  message: 'The text has changed meanwhile, so this was not written.',
};

/** A document as forms read and change it: by keys, through the language server. Every change is one step of Undo. */
export class FormDocument {
  readonly document: vscode.TextDocument;
  readonly #language: Pick<ModelsLanguage, 'request'>;
  #last: Promise<unknown> = Promise.resolve();
  #isHeldReadonly = false;

  constructor(document: vscode.TextDocument, language: Pick<ModelsLanguage, 'request'>) {
    this.document = document;
    this.#language = language;
  }

  get #uri(): string {
    return this.document.uri.toString();
  }

  /** VS Code has not taken an edit since `lookAgain`: a setting or a command of the person's keeps the file as it is. */
  get isHeldReadonly(): boolean {
    return this.#isHeldReadonly;
  }

  lookAgain(): void {
    this.#isHeldReadonly = false;
  }

  /** The fields of the form; the same for every document. */
  fields(): Promise<FormField> {
    return inTime(this.#language.request('delegationBridge/formFields', {}));
  }

  /** Null: the language server does not know the document. */
  state(): Promise<FormState | null> {
    return inTime(this.#language.request('delegationBridge/formState', { uri: this.#uri }));
  }

  /** Makes edits that were meant for this version of the text. One after the other: each sees what the one before it has made. */
  edit(version: number, edits: readonly ConfigEdit[]): Promise<EditOutcome> {
    return this.#inTurn(async () => {
      if (version !== this.document.version) return STALE;
      const answer = await inTime(
        this.#language.request('delegationBridge/edit', {
          ...{ uri: this.#uri, version, edits: [...edits] },
        }),
      );
      return this.#apply(version, answer);
    });
  }

  /** One of the quick fixes of the state of this version; a key that has to be kept first is for the caller. */
  fix(
    version: number,
    chosen: { readonly problem: number; readonly fix: number; readonly title: string },
  ): Promise<EditOutcome | MoveSecret> {
    return this.#inTurn(async () => {
      if (version !== this.document.version) return STALE;
      const answer = await inTime(
        this.#language.request('delegationBridge/fix', { uri: this.#uri, version, ...chosen }),
      );
      return answer.kind === 'moveSecret' ? answer : this.#apply(version, answer);
    });
  }

  /** Edits that fit whatever the text is by now, such as a new entry. */
  editNow(edits: readonly ConfigEdit[]): Promise<EditOutcome> {
    return this.edit(this.document.version, edits);
  }

  /** The key that stands at a place; empty: none. */
  pathAt({ line, character }: vscode.Position): Promise<(string | number)[]> {
    const position = { line, character };
    return inTime(this.#language.request('delegationBridge/pathAt', { uri: this.#uri, position }));
  }

  /** Where the nearest key of a path stands. */
  async rangeOf(path: readonly (string | number)[]): Promise<vscode.Range | null> {
    const found = await inTime(
      this.#language.request('delegationBridge/rangeOf', { uri: this.#uri, path: [...path] }),
    );
    return found === null ? null : toRange(found);
  }

  async #apply(
    version: number,
    answer: Exclude<LanguageResult<'delegationBridge/edit'>, MoveSecret>,
  ): Promise<EditOutcome> {
    if (answer.kind === 'stale' || version !== this.document.version) return STALE;
    if (answer.kind === 'refused') return { outcome: 'refused', message: answer.message };
    if (answer.changes.length === 0) return DONE;
    const edit = new vscode.WorkspaceEdit();
    for (const { range, newText } of answer.changes)
      edit.replace(this.document.uri, toRange(range), newText);
    switch (await applyEdit(this.document, edit)) {
      case 'taken':
        return DONE;
      case 'readonly':
        this.#isHeldReadonly = true;
        return { outcome: 'refused', message: 'VS Code holds this file read-only.' };
      case 'refused':
        if (version !== this.document.version) return STALE;
        return { outcome: 'refused', message: 'VS Code does not let this file be changed.' };
    }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    // A failure is told to whoever asked for that change; the next one has nothing to do with it.
    this.#last = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }
}

function inTime<T>(work: Promise<T>): Promise<T> {
  return withTimeLimit(work, ANSWER_LIMIT_MS, SILENT);
}

function toRange({ start, end }: TextChange['range']): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
