import * as vscode from 'vscode';

/** Path of the folder that this window works in: the one of the editor in front, else the first; undefined without a folder on disk. */
export function workspaceFolder(): string | undefined {
  const editor = vscode.window.activeTextEditor;
  const own =
    editor === undefined ? undefined : vscode.workspace.getWorkspaceFolder(editor.document.uri);
  const folder = own ?? vscode.workspace.workspaceFolders?.[0];
  return folder?.uri.scheme === 'file' ? folder.uri.fsPath : undefined;
}
