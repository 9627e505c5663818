import * as vscode from 'vscode';
import { COMMANDS, readBooleanSetting, SETTINGS_PREFIX } from '../../contributions.ts';
import { findTodos } from './findTodos.ts';

/** Where a lens stands, as it is handed to the command. */
export interface TodoPlace {
  readonly kind: 'todo';
  readonly uri: string;
  readonly line: number;
}

/** "Delegate" above TODO and FIXME comments, where the setting is on. */
export class TodoLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changes.event;
  readonly #subscriptions: vscode.Disposable[];

  constructor() {
    this.#subscriptions = [
      vscode.languages.registerCodeLensProvider({ scheme: 'file' }, this),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#changes.fire()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(SETTINGS_PREFIX)) this.#changes.fire();
      }),
    ];
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    if (!vscode.workspace.isTrusted) return [];
    if (!readBooleanSetting('todoCodeLens.enabled', document.uri)) return [];
    const lineAt = (index: number): string => document.lineAt(index).text;
    return findTodos({ count: document.lineCount, lineAt }).map((line) => {
      const place: TodoPlace = { kind: 'todo', uri: document.uri.toString(), line };
      return new vscode.CodeLens(document.lineAt(line).range, {
        title: 'Delegate',
        tooltip: 'Hand this TODO to a model; nothing starts before you say so',
        command: COMMANDS.delegateSelection,
        arguments: [place],
      });
    });
  }

  dispose(): void {
    for (const each of this.#subscriptions) each.dispose();
    this.#changes.dispose();
  }
}
