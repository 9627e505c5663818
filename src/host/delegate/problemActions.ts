import * as vscode from 'vscode';
import { COMMANDS } from '../../contributions.ts';

/** Which problems are meant, as an action hands them to the command: a diagnostic itself does not survive the way. */
export interface ProblemPlace {
  readonly kind: 'problem';
  readonly uri: string;
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

/** "Delegate Fix for This Problem" among the quick fixes of a problem, in the editor and in the Problems panel; never the preferred one. */
export class ProblemActions implements vscode.CodeActionProvider {
  static readonly kinds = [vscode.CodeActionKind.QuickFix];

  provideCodeActions(
    { uri }: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    if (!vscode.workspace.isTrusted || uri.scheme !== 'file' || diagnostics.length === 0) return [];
    const title =
      diagnostics.length === 1
        ? 'Delegate Fix for This Problem…'
        : `Delegate Fix for These ${diagnostics.length} Problems…`;
    const place: ProblemPlace = {
      kind: 'problem',
      uri: uri.toString(),
      problems: diagnostics.map(({ range, message }) => ({ line: range.start.line, message })),
    };
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    action.command = { title, command: COMMANDS.delegateProblem, arguments: [place] };
    action.diagnostics = [...diagnostics];
    return [action];
  }
}
