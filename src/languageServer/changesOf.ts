import type { TextDocument } from 'vscode-languageserver-textdocument';
import { editModelsText } from '../config/edit/editModelsText.ts';
import type { ConfigEdit, TextChange } from '../protocol/modelsLanguage/configEdit.ts';

/** The changes of a document's text that make these edits, or why they cannot be made. */
export function changesOf(
  document: TextDocument,
  edits: readonly ConfigEdit[],
):
  | { readonly kind: 'changes'; readonly changes: TextChange[] }
  | { readonly kind: 'refused'; readonly message: string } {
  const result = editModelsText(document.getText(), edits);
  if (!result.isOk) return { kind: 'refused', message: result.message };
  return {
    kind: 'changes',
    changes: result.replacements.map(({ start, end, newText }) => ({
      range: { start: document.positionAt(start), end: document.positionAt(end) },
      newText,
    })),
  };
}
