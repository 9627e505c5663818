import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import * as vscode from 'vscode';

/** Whether what is typed into a file could not be saved; of one that is gone nothing is known. */
export async function isReadonlyFile(uri: vscode.Uri): Promise<boolean> {
  if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false) return true;
  if (uri.scheme !== 'file') return false;
  try {
    await access(uri.fsPath, constants.W_OK);
    return false;
  } catch (error) {
    // One that is missing is made by saving.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}
