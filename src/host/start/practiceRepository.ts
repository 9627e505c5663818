import { existsSync } from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { HostParts } from '../hostParts.ts';

/** Kept until the window of the practice repository has opened: there the first job is offered at once. */
export const PRACTICE_PENDING = 'practicePending';

/**
 * Makes a repository with a red test where the person wants it, and opens it.
 * @returns its folder; undefined when nobody wanted one
 */
export async function makePracticeRepository({
  link,
  context,
}: HostParts): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({
    title: 'Make a Practice Repository',
    prompt: 'Folder to make. It gets two small files and one commit; delete it when you are done.',
    value: freeFolder(),
    ignoreFocusOut: true,
    validateInput: (text) =>
      path.isAbsolute(expanded(text)) ? null : 'Write the whole path, beginning at / or ~.',
  });
  if (typed === undefined) return undefined;
  const { folder } = await link.call('make_practice', { folder: expanded(typed) });
  await context.globalState.update(PRACTICE_PENDING, folder);
  // A window that shows something else keeps it.
  const hasFolder = (vscode.workspace.workspaceFolders ?? []).length > 0;
  await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(folder), {
    forceNewWindow: hasFolder,
  });
  return folder;
}

function freeFolder(): string {
  for (let n = 1; ; n++) {
    const folder = path.join(
      os.homedir(),
      n === 1 ? 'delegate-practice' : `delegate-practice-${n}`,
    );
    if (!existsSync(folder)) return folder;
  }
}

function expanded(text: string): string {
  return text.trim().replace(/^~(?=$|[/\\])/, os.homedir());
}
