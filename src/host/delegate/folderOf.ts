import * as vscode from 'vscode';
import { workspaceFolder } from '../workspaceFolder.ts';

/** The folder of the window in which a job about this file works; null when none is open. */
export function folderOf(uri: vscode.Uri | undefined): string | null {
  const folder = uri === undefined ? undefined : vscode.workspace.getWorkspaceFolder(uri);
  if (folder?.uri.scheme === 'file') return folder.uri.fsPath;
  return workspaceFolder() ?? null;
}
