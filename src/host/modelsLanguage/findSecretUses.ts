import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { HostParts } from '../hostParts.ts';
import { type SecretUse, secretUses } from './secretUses.ts';

/** Where the configuration of this window refers to secrets; what is not saved counts as it is in the editor. */
export async function findSecretUses({
  files,
}: Pick<HostParts['language'], 'files'>): Promise<SecretUse[]> {
  const found = await Promise.all(files.map(async (file) => secretUses(file, await textOf(file))));
  return found.flat();
}

async function textOf(file: string): Promise<string> {
  const open = vscode.workspace.textDocuments.find(
    ({ uri }) => uri.scheme === 'file' && uri.fsPath === file,
  );
  if (open !== undefined) return open.getText();
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    // One that is missing or cannot be read refers to nothing; the list of problems says which of both.
    if ((error as NodeJS.ErrnoException).code !== undefined) return '';
    throw error;
  }
}
