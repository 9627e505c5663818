import * as vscode from 'vscode';
import type { HostParts } from '../hostParts.ts';
import { readAddress } from '../../config/readAddress.ts';
import { withProgress } from '../start/withProgress.ts';
import { workspaceFolder } from '../workspaceFolder.ts';
import { foundRows, type ImportChoice, otherRows, SOURCE_NAMES } from './importRows.ts';

export const IMPORT_TITLE = 'Import Endpoints';

/** Asks what to import from: what was found first. */
export async function chooseSource({
  link,
}: Pick<HostParts, 'link'>): Promise<ImportChoice | undefined> {
  const cwd = workspaceFolder();
  const { found } = await withProgress('Looking for what can be imported', (signal) =>
    link.call('import_sources', cwd === undefined ? {} : { cwd }, signal),
  );
  const rows = foundRows(found);
  const separator = (label: string) => ({
    ...{ label, kind: vscode.QuickPickItemKind.Separator, choice: null },
  });
  const chosen = await vscode.window.showQuickPick(
    [
      ...(rows.length === 0 ? [] : [separator('found')]),
      ...rows,
      separator('from elsewhere'),
      ...otherRows(vscode.workspace.isTrusted),
    ],
    {
      title: IMPORT_TITLE,
      placeHolder: 'Import from what? The changes are shown before anything is written.',
      matchOnDescription: true,
    },
  );
  return chosen?.choice === undefined || chosen.choice === null
    ? undefined
    : completed(chosen.choice);
}

/** Asks for the file or the address where it is not known. */
async function completed(choice: ImportChoice): Promise<ImportChoice | undefined> {
  const { kind, path, baseUrl } = choice;
  if ((kind === 'litellm' || kind === 'localagents') && path === undefined) {
    const [file] =
      (await vscode.window.showOpenDialog({
        title: `${IMPORT_TITLE} from ${SOURCE_NAMES[kind]}`,
        openLabel: 'Show Changes',
        filters: { YAML: ['yaml', 'yml'] },
      })) ?? [];
    return file === undefined ? undefined : { kind, path: file.fsPath };
  }
  if ((kind === 'ollama' || kind === 'lmstudio') && baseUrl === undefined) {
    const address = await askAddress(kind);
    return address === undefined ? undefined : { kind, baseUrl: address };
  }
  return choice;
}

async function askAddress(kind: 'ollama' | 'lmstudio'): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({
    title: `${IMPORT_TITLE} from ${SOURCE_NAMES[kind]}`,
    prompt: `Address of ${SOURCE_NAMES[kind]}, without /v1`,
    placeHolder: kind === 'ollama' ? 'http://127.0.0.1:11434' : 'http://127.0.0.1:1234',
    ignoreFocusOut: true,
    validateInput: (text) => {
      const { address, note } = readAddress(text);
      return address === null ? (note?.message ?? 'An address is needed.') : null;
    },
  });
  return typed === undefined ? undefined : (readAddress(typed).address ?? undefined);
}
