import type * as vscode from 'vscode';
import type { HostParts } from '../hostParts.ts';
import { askForText, textCaution } from './allowText.ts';
import type { Attachment } from './attachment.ts';
import { documentPlace } from './documentExcerpt.ts';

/** Excerpts of a document, once it is clear that they may go to a model: else the file by its name, or nothing. */
export async function guardedExcerpts(
  uri: vscode.Uri,
  cwd: string | null,
  excerpts: readonly Attachment[],
  parts: Pick<HostParts, 'link'>,
): Promise<readonly Attachment[]> {
  const caution = excerpts.length === 0 ? null : await textCaution(uri, cwd, parts);
  if (caution === null) return excerpts;
  const path = documentPlace(uri, cwd);
  const choice = await askForText(path, caution);
  if (choice === 'text') return excerpts;
  if (choice === undefined) return [];
  return [{ kind: 'file', path, language: '', text: null, isCut: false }];
}
