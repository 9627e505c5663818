import * as vscode from 'vscode';
import type { HostParts } from '../hostParts.ts';
import { askForText, textCaution } from './allowText.ts';
import type { Attachment } from './attachment.ts';
import { isBinaryText } from './cutText.ts';
import { documentExcerpt, documentPlace } from './documentExcerpt.ts';

type File = Extract<Attachment, { kind: 'file' }>;

/**
 * A file by its name: a job reads it in its own copy. Only the text of one that git ignores would be missing there; whether it goes
 * along is asked. Null when the person wants none of it.
 */
export async function fileAttachment(
  uri: vscode.Uri,
  cwd: string | null,
  parts: Pick<HostParts, 'link'>,
): Promise<File | null> {
  const path = documentPlace(uri, cwd);
  const byName: File = { kind: 'file', path, language: '', text: null, isCut: false };
  const caution = await textCaution(uri, cwd, parts);
  // A file with keys is a name, too; who wants its text in a brief selects it, and is asked then.
  if (caution !== 'ignored') return byName;
  const choice = await askForText(path, caution);
  if (choice === undefined) return null;
  if (choice === 'path') return byName;
  const document = await vscode.workspace.openTextDocument(uri);
  const { text, isCut, language } = documentExcerpt(document, cwd, 0, document.lineCount - 1);
  return isBinaryText(text) ? byName : { ...byName, text, isCut, language };
}
