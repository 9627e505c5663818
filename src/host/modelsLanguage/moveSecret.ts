import * as vscode from 'vscode';
import { BridgeError, type ErrorKind } from '../../base/bridgeError.ts';
import type { TextChange } from '../../protocol/modelsLanguage/configEdit.ts';
import { applyEdit } from '../applyEdit.ts';
import type { HostParts } from '../hostParts.ts';
import { secretNameProblem } from './secretNameProblem.ts';

type Parts = Pick<HostParts, 'link' | 'language'>;
type ConfigPath = readonly (string | number)[];

const SAVE = 'Save';

/**
 * Moves a key that is written out in models.yaml to the secret store: it is kept first, then the text refers to it. The key
 * itself goes from the language server to the bridge and is shown or logged nowhere.
 * @returns the name of the secret
 */
export async function moveSecret(
  parts: Parts,
  [uriText, pathGiven, nameGiven]: readonly unknown[],
): Promise<string | undefined> {
  const target = await targetOf(parts, uriText, pathGiven);
  const { document, path } = target;
  const uri = document.uri.toString();
  const literal = await parts.language.request('delegationBridge/literalSecret', {
    ...{ uri, path: [...path] },
  });
  if (literal === null) {
    throw new BridgeError('bad_argument', 'No key is written out there.', {
      hint: 'Put the cursor on a key that stands in the file.',
    });
  }
  const wish = typeof nameGiven === 'string' ? nameGiven : nameFrom(path);
  const name = await keep(parts, wish, literal.value);
  if (name === undefined) return undefined;
  parts.language.liveChanged();
  try {
    await writeReference(parts, document, path, name, literal.value);
  } catch (error) {
    const why = BridgeError.from(error).message;
    throw new BridgeError(
      'wrong_state',
      `The key is kept as ${name}, but the file still has it as well: ${why}`,
      { hint: `Write \${secret:${name}} in its place.`, cause: error },
    );
  }
  void tellMoved(document, name);
  return name;
}

async function targetOf(
  { language }: Parts,
  uriText: unknown,
  pathGiven: unknown,
): Promise<{ document: vscode.TextDocument; path: ConfigPath }> {
  if (typeof uriText === 'string' && isPath(pathGiven)) {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uriText));
    return { document, path: pathGiven };
  }
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || !language.isConfig(editor.document.uri)) {
    throw new BridgeError('bad_argument', 'The editor in front shows no models.yaml.', {
      hint: 'Open models.yaml and put the cursor on the key.',
    });
  }
  const { document, selection } = editor;
  const path = await language.request('delegationBridge/pathAt', {
    uri: document.uri.toString(),
    position: { line: selection.active.line, character: selection.active.character },
  });
  return { document, path };
}

function isPath(value: unknown): value is ConfigPath {
  return (
    Array.isArray(value) &&
    value.every((part) => typeof part === 'string' || typeof part === 'number')
  );
}

function nameFrom(path: ConfigPath): string {
  const [section, entry] = path;
  const word = section === 'endpoints' && typeof entry === 'string' ? entry : String(path.at(-1));
  return word.replaceAll(/[^A-Za-z0-9._-]/g, '-').replace(/^[^A-Za-z0-9]+/, '') || 'key';
}

/** Never replaces one that is there; that is asked for another name. Undefined: the person has called it off. */
async function keep({ link }: Parts, wish: string, value: string): Promise<string | undefined> {
  let name: string | undefined = wish;
  while (name !== undefined) {
    const kept = await link.tryCall('set_secret', { name, value, isNew: true });
    if (kept.isOk) return name;
    const { kind, message, hint } = kept.failure;
    if (kind !== 'wrong_state') throw new BridgeError(kind as ErrorKind, message, { hint });
    name = await vscode.window.showInputBox({
      title: 'Move the key to the secret store',
      prompt: `There is a secret ${name} already, and it stays. Give this one another name.`,
      value: `${name}-2`,
      ignoreFocusOut: true,
      validateInput: secretNameProblem,
    });
  }
  return undefined;
}

async function writeReference(
  { language }: Parts,
  document: vscode.TextDocument,
  path: ConfigPath,
  name: string,
  value: string,
): Promise<void> {
  const uri = document.uri.toString();
  // Somebody may type meanwhile; then the place is looked for again, and it must still be the same key.
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const { version } = document;
    const answer = await language.request('delegationBridge/edit', {
      ...{ uri, version },
      edits: [{ kind: 'set', path: [...path], value: `\${secret:${name}}` }],
    });
    if (answer.kind === 'refused') throw new BridgeError('wrong_state', answer.message);
    if (answer.kind === 'changes' && document.version === version) {
      const edit = new vscode.WorkspaceEdit();
      edit.set(document.uri, answer.changes.map(toTextEdit));
      const outcome = await applyEdit(document, edit);
      if (outcome === 'taken') return;
      const why =
        outcome === 'readonly'
          ? 'VS Code holds this file read-only.'
          : 'VS Code did not take the change of the file.';
      throw new BridgeError('wrong_state', why);
    }
    const now = await language.request('delegationBridge/literalSecret', { uri, path: [...path] });
    if (now?.value !== value)
      throw new BridgeError('wrong_state', 'The key was changed meanwhile.');
  }
  throw new BridgeError('wrong_state', 'The file is being changed all the time.');
}

function toTextEdit({ range: { start, end }, newText }: TextChange): vscode.TextEdit {
  const range = new vscode.Range(start.line, start.character, end.line, end.character);
  return vscode.TextEdit.replace(range, newText);
}

async function tellMoved(document: vscode.TextDocument, name: string): Promise<void> {
  const choice = await vscode.window.showInformationMessage(
    `The key is kept as ${name}. The file on disk still holds it until you save; undo brings it back into the text.`,
    SAVE,
  );
  if (choice === SAVE) await document.save();
}
