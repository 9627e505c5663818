import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { HostParts } from '../hostParts.ts';
import { isLikelySecret } from './secretPath.ts';

/** Why the text of a file does not go along without a question; null when it may. */
export type TextCaution = 'secret' | 'ignored' | null;

/** Whether a file may hold what must not leave, or is kept out of git. */
export async function textCaution(
  uri: vscode.Uri,
  cwd: string | null,
  { link }: Pick<HostParts, 'link'>,
): Promise<TextCaution> {
  if (isLikelySecret(uri.path)) return 'secret';
  if (uri.scheme !== 'file' || cwd === null) return null;
  // Git knows the file by its real path; one that does not exist is known by none.
  const file = await realpath(uri.fsPath).catch(() => uri.fsPath);
  const asked = await link.tryCall('delegate_facts', { cwd, paths: [file] });
  return asked.isOk && asked.answer.ignored.length > 0 ? 'ignored' : null;
}

const ADD_TEXT = 'Add the Text';
const PATH_ONLY = 'Add the Path Only';

/** Asks whether the text of such a file goes to the model. Undefined: nothing is added. */
export async function askForText(
  place: string,
  caution: Exclude<TextCaution, null>,
): Promise<'text' | 'path' | undefined> {
  const chosen = await vscode.window.showWarningMessage(
    caution === 'secret'
      ? `${place} may hold keys or passwords. What you add goes to the model, and stays in the job's brief.`
      : `${place} is ignored by git, so it may be private. What you add goes to the model, and stays in the job's brief.`,
    { modal: true },
    ADD_TEXT,
    PATH_ONLY,
  );
  if (chosen === ADD_TEXT) return 'text';
  return chosen === PATH_ONLY ? 'path' : undefined;
}
