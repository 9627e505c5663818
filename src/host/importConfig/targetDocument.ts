import { mkdir, stat, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';
import { type TextReplacement, withReplacements } from '../../config/edit/textReplacement.ts';
import { applyEdit } from '../applyEdit.ts';

/** The file that an import changes, as it is open or lies on disk; null: there is none. */
export async function targetDocument(file: string): Promise<vscode.TextDocument | null> {
  const uri = vscode.Uri.file(file);
  const open = vscode.workspace.textDocuments.find(
    (document) => document.uri.toString() === uri.toString(),
  );
  // VS Code remembers a document for a while after its file is gone; only what is not saved would be lost.
  if (open?.isDirty === true) return open;
  try {
    await stat(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return vscode.workspace.openTextDocument(uri);
}

/**
 * Makes the changes in the document, as one step of undo, and saves it when it had nothing unsaved. A file that is missing is made, for
 * its owner alone.
 * @param before the text that was shown; null: there was no file
 * @throws BridgeError `conflict` when the document is not as it was shown
 */
export async function changeTarget(
  file: string,
  before: string | null,
  replacements: readonly TextReplacement[],
): Promise<void> {
  if (before === null) {
    await create(file, withReplacements('', replacements));
    return;
  }
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
  if (document.getText() !== before)
    throw new BridgeError(
      'conflict',
      `${file} was changed since it was shown; nothing was written.`,
      {
        hint: 'Import again.',
      },
    );
  const wasDirty = document.isDirty;
  const edit = new vscode.WorkspaceEdit();
  for (const { start, end, newText } of replacements)
    edit.replace(
      document.uri,
      new vscode.Range(document.positionAt(start), document.positionAt(end)),
      newText,
    );
  if ((await applyEdit(document, edit)) !== 'taken')
    throw new BridgeError('conflict', `${file} could not be changed.`, {
      hint: 'Is it read-only?',
    });
  if (!wasDirty && !(await document.save()))
    throw new BridgeError('config_invalid', `${file} is changed in its editor, and not saved.`, {
      hint: 'Look at what VS Code says of it, then save it there.',
    });
}

async function create(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    await writeFile(file, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'EEXIST'
      ? new BridgeError('conflict', `${file} has come into being since it was shown.`, {
          hint: 'Import again.',
        })
      : new BridgeError('config_invalid', `${file} cannot be written (${code ?? 'unknown'}).`, {
          hint: 'Look at the rights of that folder.',
          cause: error,
        });
  }
}
