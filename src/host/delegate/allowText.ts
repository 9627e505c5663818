import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import { sanitiseLine } from '../../base/sanitise.ts';
import type { HostParts } from '../hostParts.ts';
import { isLikelySecret } from './secretPath.ts';

/** Why the text of a file does not go along without a question; null when it may. */
export type TextCaution = 'secret' | 'ignored' | 'unknown' | null;

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
  if (!asked.isOk) return 'unknown';
  return asked.answer.ignored.length > 0 ? 'ignored' : null;
}

const REASONS: Record<Exclude<TextCaution, null>, string> = {
  secret: 'may hold keys or passwords',
  ignored: 'is ignored by git, so it may be private',
  unknown: 'may be private: git does not say whether it is ignored',
};

/** Asks whether the text of such a file goes to the model. Undefined: nothing is added. */
export async function askForText(
  place: string,
  caution: Exclude<TextCaution, null>,
): Promise<'text' | 'path' | undefined> {
  const name = sanitiseLine(place, 80);
  const items = [
    {
      label: 'Add the Path Only',
      description: 'the model may read what its own copy has',
      choice: 'path',
    },
    {
      label: 'Add the Text',
      description: "it goes to the model, and stays in the job's brief",
      choice: 'text',
    },
  ] as const;
  const chosen = await vscode.window.showQuickPick(items, {
    title: `${name} ${REASONS[caution]}`,
    placeHolder: 'What goes along?',
    ignoreFocusOut: true,
  });
  return chosen?.choice;
}
