import * as vscode from 'vscode';
import { EDITORS, registerCommand, runCommand, setContext } from '../../contributions.ts';
import { reportFailures } from '../commands/reportFailures.ts';
import type { HostParts } from '../hostParts.ts';
import { workspaceFolder } from '../workspaceFolder.ts';
import { RegistryForms } from './registryForms.ts';

/** models.yaml as a form, and the way from text to form and back. */
export function registerRegistryForm(parts: HostParts): vscode.Disposable[] {
  const forms = new RegistryForms(parts);
  const isText = (editor: vscode.TextEditor | undefined): editor is vscode.TextEditor =>
    editor !== undefined && parts.language.isConfig(editor.document.uri);
  const tellText = (): void =>
    void setContext('modelsText', isText(vscode.window.activeTextEditor));
  tellText();
  return [
    forms,
    vscode.window.registerCustomEditorProvider(EDITORS.models, forms, {
      webviewOptions: { enableFindWidget: true },
      supportsMultipleEditorsPerDocument: true,
    }),
    vscode.window.onDidChangeActiveTextEditor(tellText),
    vscode.workspace.onDidOpenTextDocument(tellText),
    // Which files are part of the configuration may change with the folders of the window.
    parts.language.onDidChangeState(tellText),
    registerCommand(
      'openForm',
      reportFailures(parts, async () => {
        const editor = vscode.window.activeTextEditor;
        await (isText(editor) ? forms.openForm(editor) : openUserForm(parts));
      }),
    ),
    registerCommand(
      'openYaml',
      reportFailures(parts, async () => {
        const form = forms.active;
        await (form === undefined ? runCommand('openConfig') : form.openAsYaml());
      }),
    ),
  ];
}

/** The user's own models.yaml; one that does not exist is made first, when that is wanted. */
async function openUserForm({ link }: HostParts): Promise<void> {
  const cwd = workspaceFolder();
  const where = cwd === undefined ? {} : { cwd };
  const before = await link.call('config_facts', where);
  // It asks whether one should be made, and shows it as text.
  if (!before.isExisting) await runCommand('openConfig');
  const { configFile, isExisting } = before.isExisting
    ? before
    : await link.call('config_facts', where);
  if (!isExisting) return;
  await vscode.commands.executeCommand(
    'vscode.openWith',
    vscode.Uri.file(configFile),
    EDITORS.models,
  );
}
