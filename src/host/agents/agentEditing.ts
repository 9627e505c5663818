import * as vscode from 'vscode';
import type { AgentChecks } from './agentChecks.ts';
import { agentMarkdown } from './agentMarkdown.ts';
import { replacementPlace } from './replacementPlace.ts';

const TOLD_KEYS = /^(name|description|model|tools|disallowedTools|skills):/;

/** What a definition would really get, over the keys of its front matter; and the word that was probably meant, as a quick fix. */
export class AgentEditing implements vscode.HoverProvider, vscode.CodeActionProvider {
  static readonly selector: vscode.DocumentSelector = { scheme: 'file', pattern: '**/*.md' };
  static readonly kinds = [vscode.CodeActionKind.QuickFix];
  readonly #checks: AgentChecks;

  constructor(checks: AgentChecks) {
    this.#checks = checks;
  }

  async provideHover(
    document: vscode.TextDocument,
    { line }: vscode.Position,
  ): Promise<vscode.Hover | null> {
    if (!vscode.workspace.isTrusted || !isInFrontMatter(document, line)) return null;
    const text = document.lineAt(line);
    if (!TOLD_KEYS.test(text.text)) return null;
    const agent = await this.#checks.agent(document.uri.fsPath);
    return agent === null
      ? null
      : new vscode.Hover(new vscode.MarkdownString(agentMarkdown(agent)), text.range);
  }

  async provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): Promise<vscode.CodeAction[]> {
    const own = diagnostics.filter(({ source }) => source === 'delegation-bridge');
    if (!vscode.workspace.isTrusted || own.length === 0) return [];
    const agent = await this.#checks.agent(document.uri.fsPath);
    const lines = document.getText().split(/\r\n|\r|\n/);
    return (agent?.findings ?? []).flatMap((finding) => {
      const diagnostic = own.find(
        ({ code, range }) =>
          code === finding.code &&
          range.start.line === finding.range.line - 1 &&
          range.start.character === finding.range.column - 1,
      );
      const place = replacementPlace(lines, finding);
      if (diagnostic === undefined || place === null || finding.replacement === undefined)
        return [];
      const { replace } = finding.replacement;
      const action = new vscode.CodeAction(
        `Change to "${replace}"`,
        vscode.CodeActionKind.QuickFix,
      );
      action.edit = new vscode.WorkspaceEdit();
      const range = new vscode.Range(place.line, place.start, place.line, place.end);
      action.edit.replace(document.uri, range, replace);
      action.diagnostics = [diagnostic];
      action.isPreferred = true;
      return [action];
    });
  }
}

function isInFrontMatter(document: vscode.TextDocument, line: number): boolean {
  if (line === 0 || document.lineAt(0).text.trimEnd() !== '---') return false;
  for (let n = 1; n < line; n += 1) {
    if (/^---[ \t]*$/.test(document.lineAt(n).text)) return false;
  }
  return true;
}
