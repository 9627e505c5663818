import * as vscode from 'vscode';
import { COMMANDS } from '../../contributions.ts';
import type { HostParts } from '../hostParts.ts';
import { statusWords, type StatusWords } from './statusWords.ts';

/** As the language server signs its diagnostics. */
const SOURCE = 'delegation-bridge';

const SEVERITIES: Readonly<Record<StatusWords['severity'], vscode.LanguageStatusSeverity>> = {
  error: vscode.LanguageStatusSeverity.Error,
  warning: vscode.LanguageStatusSeverity.Warning,
  info: vscode.LanguageStatusSeverity.Information,
};

/** Says of the models.yaml in front what is wrong with it and whether it counts, in the language status at the bottom. */
export class ModelsStatus implements vscode.Disposable {
  readonly #parts: Pick<HostParts, 'language' | 'overview'>;
  readonly #item: vscode.LanguageStatusItem;
  readonly #subscriptions: { dispose(): unknown }[];

  constructor(parts: Pick<HostParts, 'language' | 'overview'>) {
    this.#parts = parts;
    const { language, overview } = parts;
    this.#item = vscode.languages.createLanguageStatusItem(
      'delegationBridge.models',
      language.selector,
    );
    this.#item.name = 'Delegation Bridge';
    const show = (): void => this.#show();
    this.#subscriptions = [
      this.#item,
      language.onDidChangeState(show),
      overview.onDidChange(show),
      vscode.languages.onDidChangeDiagnostics(show),
      vscode.window.onDidChangeActiveTextEditor(show),
      vscode.workspace.onDidGrantWorkspaceTrust(show),
    ];
    show();
  }

  dispose(): void {
    for (const each of this.#subscriptions) each.dispose();
  }

  #show(): void {
    const { language, overview } = this.#parts;
    this.#item.selector = language.selector;
    const uri = vscode.window.activeTextEditor?.document.uri;
    if (uri === undefined || !language.isConfig(uri)) return;
    const own = vscode.languages.getDiagnostics(uri).filter(({ source }) => source === SOURCE);
    const count = (severity: vscode.DiagnosticSeverity): number =>
      own.filter((each) => each.severity === severity).length;
    const words = statusWords({
      state: language.state,
      errors: count(vscode.DiagnosticSeverity.Error),
      warnings: count(vscode.DiagnosticSeverity.Warning),
      isUntrusted: overview.overview?.untrusted.includes(uri.fsPath) ?? false,
      isRestricted: !vscode.workspace.isTrusted,
    });
    this.#item.text = words.text;
    this.#item.detail = words.detail;
    this.#item.busy = words.isBusy;
    this.#item.severity = SEVERITIES[words.severity];
    this.#item.command = commandOf(words.action, uri);
  }
}

function commandOf(action: StatusWords['action'], uri: vscode.Uri): vscode.Command | undefined {
  switch (action) {
    case 'restart':
      return { title: 'Restart', command: COMMANDS.restartLanguageServer };
    case 'trust':
      return {
        title: 'Trust…',
        command: COMMANDS.trustRepositorySettings,
        arguments: [uri.fsPath],
      };
    case 'problems':
      return { title: 'Show', command: 'workbench.actions.view.problems' };
    case null:
      return undefined;
  }
}
