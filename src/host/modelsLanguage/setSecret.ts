import * as vscode from 'vscode';
import type { HostParts } from '../hostParts.ts';
import { foreignLabel } from '../start/foreignLabel.ts';
import { findSecretUses } from './findSecretUses.ts';
import { secretNameProblem } from './secretNameProblem.ts';
import type { SecretUse } from './secretUses.ts';
import { useWords } from './useWords.ts';

type Parts = Pick<HostParts, 'link' | 'language' | 'overview'>;

/**
 * Keeps a secret under a name, in the bridge's own store. What a person types is handed to the server and to nobody else.
 * @returns the name
 */
export async function setSecret(parts: Parts, argument: unknown): Promise<string | undefined> {
  const { link, language, overview } = parts;
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
  language.liveChanged();
  void overview.refresh();
  const places = useWords(await findSecretUses(language), name);
  void vscode.window.showInformationMessage(
    places !== ''
      ? `The secret ${name} is kept. It is used in ${places}.`
      : `The secret ${name} is kept. Write \${secret:${name}} where it is to be used.`,
  );
  return name;
}

/** One that is kept, one that is referred to and missing, or a new one. */
async function askName({ language }: Parts, names: readonly string[]): Promise<string | undefined> {
  const uses = await findSecretUses(language);
  const missing = [...new Set(uses.map(({ name }) => name))].filter(
    (each) => !names.includes(each),
  );
  const isNew = { label: '$(add) A new secret…', name: null };
  const chosen = await vscode.window.showQuickPick(
    [
      ...missing.map((name) => ({
        ...{ label: foreignLabel(name), description: 'not kept yet', name },
        detail: `used in ${useWords(uses, name)}`,
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

function usedWords(uses: readonly SecretUse[], name: string): string {
  const places = useWords(uses, name);
  return places === '' ? 'not used by the configuration of this window' : `used in ${places}`;
}
