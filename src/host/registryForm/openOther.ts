import * as vscode from 'vscode';
import { EDITORS } from '../../contributions.ts';
import type { RegistryForm } from './registryForm.ts';

/**
 * The command with which VS Code puts another editor of the same file in the place of a tab. VS Code 1.104 forgets text that is not saved
 * on the way, so while there is some the tab stays and the other one opens beside it.
 */
const REOPEN = 'reopenActiveEditorWith';
const TEXT_EDITOR = 'default';

/** Puts the text in the place of a form, with the cursor at the key that had the focus. */
export async function openAsYaml(
  form: RegistryForm,
  path: readonly (string | number)[],
): Promise<void> {
  const { document } = form;
  const range = path.length === 0 ? null : await document.rangeOf(path);
  // The command acts on what is in front.
  form.panel.reveal();
  // A panel that has been replaced can no longer say it.
  const { viewColumn } = form.panel;
  if (!document.document.isDirty) await vscode.commands.executeCommand(REOPEN, TEXT_EDITOR);
  const editor = await vscode.window.showTextDocument(document.document, viewColumn);
  if (range === null) return;
  editor.selection = new vscode.Selection(range.start, range.start);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** Puts the form in the place of the text in front. */
export async function openAsForm(editor: vscode.TextEditor): Promise<void> {
  const { document, viewColumn } = editor;
  await vscode.window.showTextDocument(document, viewColumn);
  if (document.isDirty)
    await vscode.commands.executeCommand(
      'vscode.openWith',
      document.uri,
      EDITORS.models,
      viewColumn,
    );
  else await vscode.commands.executeCommand(REOPEN, EDITORS.models);
}
