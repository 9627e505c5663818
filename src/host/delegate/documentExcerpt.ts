import * as vscode from 'vscode';
import { cutText } from './cutText.ts';
import { placeInFolder } from './placeInFolder.ts';

/** Lines of a document as an attachment has them, first and last included, from 0. */
export function documentExcerpt(
  document: vscode.TextDocument,
  cwd: string | null,
  firstLine: number,
  lastLine: number,
) {
  const range = document.validateRange(
    new vscode.Range(firstLine, 0, lastLine, Number.MAX_SAFE_INTEGER),
  );
  return {
    path: documentPlace(document.uri, cwd),
    language: document.languageId,
    startLine: range.start.line + 1,
    endLine: range.end.line + 1,
    ...cutText(document.getText(range)),
  };
}

/** How a job would name it; a document that is no file has only a name. */
export function documentPlace(uri: vscode.Uri, cwd: string | null): string {
  return uri.scheme === 'file' ? placeInFolder(cwd, uri.fsPath) : uri.path.replace(/^\//, '');
}
