import { readFile } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { HostParts } from '../hostParts.ts';
import { foreignLabel } from '../start/foreignLabel.ts';
import { type SecretUse, secretUses } from './secretUses.ts';

type Parts = Pick<HostParts, 'link' | 'language' | 'overview'>;

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const MAX_USES = 3;

/** What is wrong with the name of a secret, as an input box says it; null: nothing. */
export function secretNameProblem(name: string): string | null {
  if (name === '') return 'A name is needed.';
  return NAME.test(name) ? null : 'A name has letters, digits, ".", "_" and "-".';
}

/**
 * Keeps a secret under a name, in the bridge's own store. What a person types is handed to the server and to nobody else.
 * @returns the name
 */
export async function setSecret(parts: Parts, argument: unknown): Promise<string | undefined> {
  const { link, language } = parts;
  const { names } = await link.call('secret_names', {});
  const name =
    typeof argument === 'string' && argument !== '' ? argument : await askName(parts, names);
  if (name === undefined) return undefined;
  const isKept = names.includes(name);
  const value = await vscode.window.showInputBox({
    title: isKept ? `Replace the secret ${name}` : `Set the secret ${name}`,
    prompt:
      "It is kept in the bridge's secret store, never in models.yaml or in VS Code's settings.",
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? 'A value is needed.' : null),
  });
  if (value === undefined) return undefined;
  await link.call('set_secret', { name, value: value.trim() });
  changed(parts);
  const uses = (await usesOf(language)).filter((use) => use.name === name);
  void vscode.window.showInformationMessage(
    uses.length > 0
      ? `The secret ${name} is kept. It is used in ${places(uses)}.`
      : `The secret ${name} is kept. Write \${secret:${name}} where it is to be used.`,
  );
  return name;
}

/**
 * Deletes a secret after it has said what uses it.
 * @returns the name
 */
export async function deleteSecret(parts: Parts, argument: unknown): Promise<string | undefined> {
  const { link, language } = parts;
  const [{ names }, uses] = await Promise.all([link.call('secret_names', {}), usesOf(language)]);
  if (names.length === 0) {
    void vscode.window.showInformationMessage('No secret is kept.');
    return undefined;
  }
  const items = names.map((name) => ({ label: name, detail: usedWords(uses, name) }));
  const named = names.find((name) => name === argument);
  const name =
    named ??
    (
      await vscode.window.showQuickPick(items, {
        title: 'Delete a Secret',
        placeHolder: 'Which one?',
      })
    )?.label;
  if (name === undefined) return undefined;
  const own = uses.filter((use) => use.name === name);
  const choice = await vscode.window.showWarningMessage(
    `Delete the secret ${name}?`,
    {
      modal: true,
      detail:
        own.length === 0
          ? 'Nothing in the configuration of this window refers to it. It cannot be brought back.'
          : `It is used in ${places(own)}. Until it is set again, what refers to it is not used. It cannot be brought back.`,
    },
    'Delete',
  );
  if (choice !== 'Delete') return undefined;
  await link.call('set_secret', { name });
  changed(parts);
  vscode.window.setStatusBarMessage(`$(check) The secret ${name} is deleted`, 5000);
  return name;
}

/** One that is kept, one that is referred to and missing, or a new one. */
async function askName({ language }: Parts, names: readonly string[]): Promise<string | undefined> {
  const uses = await usesOf(language);
  const missing = [...new Set(uses.map(({ name }) => name))].filter(
    (each) => !names.includes(each),
  );
  const isNew = { label: '$(add) A new secret…', name: null };
  const chosen = await vscode.window.showQuickPick(
    [
      ...missing.map((name) => ({
        ...{ label: foreignLabel(name), description: 'not kept yet', name },
        detail: usedWords(uses, name),
      })),
      ...names.map((name) => ({
        ...{ label: name, description: 'kept', detail: usedWords(uses, name), name },
      })),
      isNew,
    ],
    { title: 'Set a Secret', placeHolder: 'Which one?' },
  );
  if (chosen === undefined) return undefined;
  return (
    chosen.name ??
    (await vscode.window.showInputBox({
      title: 'Set a Secret',
      prompt: 'Its name: models.yaml refers to it as ${secret:name}',
      ignoreFocusOut: true,
      validateInput: secretNameProblem,
    }))
  );
}

/** Where the configuration of this window refers to secrets; what is not saved counts as it is in the editor. */
async function usesOf(language: Parts['language']): Promise<SecretUse[]> {
  const found = await Promise.all(
    language.files.map(async (file) => secretUses(file, await textOf(file))),
  );
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

function usedWords(uses: readonly SecretUse[], name: string): string {
  const own = uses.filter((use) => use.name === name);
  return own.length === 0
    ? 'not used by the configuration of this window'
    : `used in ${places(own)}`;
}

function places(uses: readonly SecretUse[]): string {
  const shown = uses
    .slice(0, MAX_USES)
    .map(({ file, line }) => `${foreignLabel(path.basename(file))}:${line}`);
  const left = uses.length - shown.length;
  return `${shown.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

function changed({ language, overview }: Parts): void {
  language.liveChanged();
  void overview.refresh();
}
