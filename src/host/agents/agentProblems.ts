import * as vscode from 'vscode';
import { sanitiseLine } from '../../base/sanitise.ts';
import { agentFindingText } from '../../protocol/agentFindingText.ts';
import type { AgentChecks, CheckedAgent } from './agentChecks.ts';

type Finding = CheckedAgent['findings'][number];

const SEVERITIES: Readonly<Record<Finding['severity'], vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
};
const MAX_LENGTH = 1000;

/** What is odd about agent and skill definitions, in the Problems panel, in the words of `delegate agents`. */
export class AgentProblems implements vscode.Disposable {
  readonly #checks: AgentChecks;
  readonly #collection = vscode.languages.createDiagnosticCollection('delegation-bridge-agents');
  readonly #subscriptions: vscode.Disposable[];

  constructor(checks: AgentChecks) {
    this.#checks = checks;
    const show = (): void => this.#show();
    this.#subscriptions = [
      this.#collection,
      checks.onDidChange(show),
      // Those of the user's own definitions are shown while one is open.
      vscode.workspace.onDidOpenTextDocument(show),
      vscode.workspace.onDidCloseTextDocument(show),
    ];
  }

  dispose(): void {
    for (const each of this.#subscriptions) each.dispose();
  }

  #show(): void {
    const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.toString()));
    const found = new Map<string, [vscode.Uri, vscode.Diagnostic[]]>();
    const add = (path: string, isOwn: boolean, diagnostics: vscode.Diagnostic[]): void => {
      const uri = vscode.Uri.file(path);
      const key = uri.toString();
      // Two folders of a workspace see the same definitions of the user.
      if (!found.has(key) && (!isOwn || open.has(key))) found.set(key, [uri, diagnostics]);
    };
    for (const { agents, folders } of this.#checks.views) {
      for (const { path, source, findings } of agents)
        add(path, source === 'global', findings.map(toDiagnostic));
      for (const { source, skipped } of folders) {
        for (const { path, why } of skipped.filter((file) => file.path.endsWith('.md')))
          add(path, source === 'global', [notFound(why)]);
      }
    }
    this.#collection.clear();
    this.#collection.set([...found.values()]);
  }
}

function toDiagnostic(finding: Finding): vscode.Diagnostic {
  const { range, severity, code } = finding;
  const diagnostic = new vscode.Diagnostic(
    new vscode.Range(
      ...([Math.max(range.line - 1, 0), Math.max(range.column - 1, 0)] as const),
      ...([Math.max(range.endLine - 1, 0), Math.max(range.endColumn - 1, 0)] as const),
    ),
    sanitiseLine(agentFindingText(finding), MAX_LENGTH),
    SEVERITIES[severity],
  );
  diagnostic.source = 'delegation-bridge';
  diagnostic.code = code;
  return diagnostic;
}

function notFound(why: string): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(
    new vscode.Range(0, 0, 0, 0),
    sanitiseLine(`this is no agent: ${why}`, MAX_LENGTH),
    vscode.DiagnosticSeverity.Information,
  );
  diagnostic.source = 'delegation-bridge';
  diagnostic.code = 'not_found';
  return diagnostic;
}
