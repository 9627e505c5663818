import { mkdir, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';
import { sidecarPath } from '../../config/sidecarPath.ts';
import type { ConfigEdit } from '../../protocol/modelsLanguage/configEdit.ts';
import type { ModelsLanguage } from '../modelsLanguage/modelsLanguage.ts';
import { FormDocument } from './formDocument.ts';

const HEADER = '# Written by Delegation Bridge; merged field by field over the file beside it.\n';

/**
 * Writes edits to the sidecar of a models.yaml, which is made when it is missing, and saves it. A sidecar that somebody is editing is
 * changed in the editor and left for them to save.
 * @returns what was done, in words
 */
export async function addToSidecar(
  configFile: string,
  edits: readonly ConfigEdit[],
  language: Pick<ModelsLanguage, 'request'>,
): Promise<string> {
  const file = sidecarPath(configFile);
  await makeFile(file);
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
  const isEdited = document.isDirty;
  const { outcome, message } = await new FormDocument(document, language).editNow(edits);
  const name = path.basename(file);
  if (outcome !== 'done') throw new BridgeError('wrong_state', `${name}: ${message}`);
  if (isEdited) return `It is in ${name}, which has changes that are not saved yet.`;
  if (!(await document.save())) {
    throw new BridgeError('wrong_state', `${file} could not be saved.`, {
      hint: 'It is open with the change; look at its rights.',
    });
  }
  return `Wrote it to ${name}.`;
}

async function makeFile(file: string): Promise<void> {
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, HEADER, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    throw new BridgeError('config_invalid', `${file} cannot be written (${code ?? 'unknown'}).`, {
      hint: 'Look at the rights of that folder.',
      cause: error,
    });
  }
}
