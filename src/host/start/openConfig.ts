import { mkdir, readFile, writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';
import type { HostParts } from '../hostParts.ts';
import { workspaceFolder } from '../workspaceFolder.ts';
import { commentedExample } from './commentedExample.ts';

/** Opens the user's models.yaml; one that does not exist is made from the example, when that is wanted. */
export async function openConfig({ link, context }: HostParts): Promise<void> {
  const cwd = workspaceFolder();
  const { configFile, isExisting } = await link.call(
    'config_facts',
    cwd === undefined ? {} : { cwd },
  );
  if (isExisting) {
    await vscode.window.showTextDocument(vscode.Uri.file(configFile));
    return;
  }
  const example = path.join(context.extensionPath, 'models.example.yaml');
  const make = {
    label: '$(new-file) Create models.yaml',
    description: 'every key of the example, commented out',
    detail: configFile,
  };
  const look = {
    label: '$(book) Look at the example',
    description: 'creates nothing',
    detail: 'models.example.yaml, with every key and its default',
  };
  const chosen = await vscode.window.showQuickPick(
    vscode.workspace.isTrusted ? [make, look] : [look],
    {
      title: 'Open models.yaml',
      placeHolder: vscode.workspace.isTrusted
        ? 'There is no models.yaml yet, and none is needed while endpoints are registered from here.'
        : 'There is no models.yaml yet, and nothing is written in Restricted Mode.',
    },
  );
  if (chosen === undefined) return;
  if (chosen === make) {
    await create(configFile, commentedExample(await readFile(example, 'utf8')));
    await vscode.window.showTextDocument(vscode.Uri.file(configFile));
    return;
  }
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(example));
  await vscode.window.showTextDocument(document, { preview: true });
}

async function create(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  try {
    await writeFile(file, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return; // somebody was faster; what is there is opened
    throw new BridgeError('config_invalid', `${file} cannot be written (${code ?? 'unknown'}).`, {
      hint: 'Look at the rights of that folder.',
      cause: error,
    });
  }
}
