import type * as vscode from 'vscode';
import type { Attachment } from './attachment.ts';
import { documentExcerpt } from './documentExcerpt.ts';

/** The whole lines of the selection: a model reads lines. Null where nothing is selected. */
export function selectionAttachment(
  { document, selection }: vscode.TextEditor,
  cwd: string | null,
): Extract<Attachment, { kind: 'selection' }> | null {
  if (selection.isEmpty) return null;
  const { start, end } = selection;
  // A selection of whole lines ends at the beginning of the next one.
  const lastLine = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return {
    kind: 'selection',
    ...documentExcerpt(document, cwd, start.line, lastLine),
    isUnsaved: document.isDirty || document.uri.scheme !== 'file',
  };
}
