import * as vscode from 'vscode';
import type { HostParts } from '../hostParts.ts';
import { choose } from '../review/choose.ts';
import { findSecretUses } from './findSecretUses.ts';
import { useWords } from './useWords.ts';

type Parts = Pick<HostParts, 'link' | 'language' | 'overview'>;

/**
 * Deletes a secret after it has said what uses it.
 * @returns the name
 */
export async function deleteSecret(parts: Parts, argument: unknown): Promise<string | undefined> {
  const { link, language, overview } = parts;
  const [{ names }, uses] = await Promise.all([
    link.call('secret_names', {}),
    findSecretUses(language),
  ]);
  if (names.length === 0) {
    void vscode.window.showInformationMessage('No secret is kept.');
    return undefined;
  }
  const items = names.map((each) => ({ label: each, detail: detailOf(useWords(uses, each)) }));
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
  const places = useWords(uses, name);
  const isMeant = await choose(
    `Delete the secret ${name}?`,
    places === ''
      ? 'Nothing in the configuration of this window refers to it.'
      : `It is used in ${places}.`,
    [
      {
        label: '$(trash) Delete it',
        detail:
          places === ''
            ? 'It cannot be brought back.'
            : 'It cannot be brought back. Until it is set again, what refers to it is not used.',
        value: true,
      },
      { label: '$(close) Keep it', value: false },
    ],
  );
  if (isMeant !== true) return undefined;
  await link.call('set_secret', { name });
  language.liveChanged();
  void overview.refresh();
  vscode.window.setStatusBarMessage(`$(check) The secret ${name} is deleted`, 5000);
  return name;
}

function detailOf(places: string): string {
  return places === '' ? 'not used by the configuration of this window' : `used in ${places}`;
}
