import * as vscode from 'vscode';

const NAME = 'Delegation Brief.md';

/** Opens the brief as an unsaved document: VS Code keeps that over a restart. The one that is open already stays as it is. */
export async function openBriefEditor(text: string): Promise<void> {
  const uri = vscode.Uri.from({ scheme: 'untitled', path: NAME });
  const isOpen = vscode.workspace.textDocuments.some(isBrief);
  const document = await vscode.workspace.openTextDocument(uri);
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  if (text === '') return;
  await editor.edit((edit) => {
    const end = document.lineAt(document.lineCount - 1).range.end;
    edit.insert(end, isOpen && document.getText().trim() !== '' ? `\n\n${text}` : text);
  });
}

/** Text of the brief in the editor in front; null when none is there. */
export function briefInFront(): string | null {
  const document = vscode.window.activeTextEditor?.document;
  return document !== undefined && isBrief(document) ? document.getText() : null;
}

/** Closes the brief without a question: it is in the job now. */
export async function closeBriefEditor(text: string): Promise<void> {
  for (const { tabs } of vscode.window.tabGroups.all) {
    for (const tab of tabs) {
      if (!(tab.input instanceof vscode.TabInputText)) continue;
      const { uri } = tab.input;
      const document = vscode.workspace.textDocuments.find(
        (each) => each.uri.toString() === uri.toString(),
      );
      // One that was written on meanwhile stays.
      if (document === undefined || !isBrief(document) || document.getText() !== text) continue;
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
  }
}

function isBrief({ uri, isUntitled }: vscode.TextDocument): boolean {
  return isUntitled && uri.path.endsWith(NAME);
}
