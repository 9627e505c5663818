import * as vscode from 'vscode';

/** VS Code says within milliseconds that a document has unsaved changes. */
const WAIT_MS = 1_000;

/**
 * Applies an edit of one document. A document that the person holds read-only in VS Code takes an edit all the same, is not marked as
 * unsaved and is never saved; its text is put back, so that nobody takes the edit for kept.
 */
export async function applyEdit(
  document: vscode.TextDocument,
  edit: vscode.WorkspaceEdit,
): Promise<'taken' | 'readonly' | 'refused'> {
  const before = document.getText();
  const taken = Promise.withResolvers<boolean>();
  const subscriptions = [
    vscode.workspace.onDidChangeTextDocument((change) => {
      if (change.document === document && document.isDirty) taken.resolve(true);
    }),
    // Auto Save may be as fast.
    vscode.workspace.onDidSaveTextDocument((saved) => {
      if (saved === document) taken.resolve(true);
    }),
  ];
  let timer: NodeJS.Timeout | undefined;
  try {
    if (!(await vscode.workspace.applyEdit(edit))) return 'refused';
    if (document.isDirty || document.getText() === before) return 'taken';
    const { version } = document;
    // From now on, however long the edit itself has taken.
    timer = setTimeout(() => taken.resolve(document.isDirty), WAIT_MS);
    if (await taken.promise) return 'taken';
    // Only what was made here is put back.
    if (document.version !== version) return 'readonly';
    const back = new vscode.WorkspaceEdit();
    const end = document.positionAt(document.getText().length);
    back.replace(document.uri, new vscode.Range(new vscode.Position(0, 0), end), before);
    await vscode.workspace.applyEdit(back);
    return 'readonly';
  } finally {
    clearTimeout(timer);
    for (const subscription of subscriptions) subscription.dispose();
  }
}
