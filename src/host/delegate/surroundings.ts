import * as vscode from 'vscode';
import { documentPlace } from './documentExcerpt.ts';
import { selectionAttachment } from './selectionAttachment.ts';
import type { Surroundings } from './whatRows.ts';

/** What the editor in front has to add. */
export function surroundingsOf(cwd: string | null, lastBrief: string | null): Surroundings {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) return { selection: null, file: null, problems: 0, lastBrief };
  const { uri } = editor.document;
  return {
    selection: selectionAttachment(editor, cwd),
    file: uri.scheme === 'file' ? documentPlace(uri, cwd) : null,
    problems: vscode.languages.getDiagnostics(uri).length,
    lastBrief,
  };
}
