import * as vscode from 'vscode';
import { EDITORS } from '../../../src/contributions.ts';
import { eventually } from '../eventually.ts';
import { keyIdOf } from './keyIdOf.ts';
import { onPage } from './page.ts';

/** Opens a file as a form and waits for its page. */
export async function openForm(
  file: string,
  column: vscode.ViewColumn = vscode.ViewColumn.Active,
): Promise<vscode.TextDocument> {
  const uri = vscode.Uri.file(file);
  await vscode.commands.executeCommand('vscode.openWith', uri, EDITORS.models, column);
  await onPage(({ webview }) => webview().locator('h1.file').waitFor());
  return vscode.workspace.openTextDocument(uri);
}

/** The control of a key, as the page names it. */
export function keyId(path: string): string {
  return keyIdOf(path);
}

/** Shows a section. */
export async function showSection(section: string): Promise<void> {
  await onPage(
    ({ webview }, input) => webview().locator(`[data-section="${input}"]`).click(),
    section,
  );
}

/** Unfolds an entry, unless it is. */
export async function unfold(path: string): Promise<void> {
  await onPage(async ({ webview }, input) => {
    const fold = webview().locator(input);
    if ((await fold.getAttribute('aria-expanded')) !== 'true') await fold.click();
  }, keyIdOf(path));
}

/** Writes into the control of a key as a person does, and presses Enter. */
export async function writeKey(path: string, text: string): Promise<void> {
  await onPage(
    async ({ webview }, input) => {
      const control = webview().locator(input.id);
      await control.fill(input.text);
      await control.press('Enter');
    },
    { id: keyIdOf(path), text },
  );
}

export async function valueOfKey(path: string): Promise<string> {
  return onPage(({ webview }, id) => webview().locator(id).inputValue(), keyIdOf(path));
}

/** Text of a part of the form in front; empty while it is not there. */
export async function formText(selector = '.form'): Promise<string> {
  return onPage(async ({ webview }, input) => {
    const found = webview().locator(input).first();
    return (await found.count()) === 0 ? '' : found.innerText();
  }, selector);
}

export async function formShows(selector: string, text: string | RegExp): Promise<void> {
  let shown = '';
  await eventually(
    async () => {
      shown = await formText(selector);
      return typeof text === 'string' ? shown.includes(text) : text.test(shown);
    },
    () => `${selector} shows ${text}, and not: ${shown}`,
  );
}

/** Tabs that show a file, in whatever group. */
export function tabsOf(file: string): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(
      ({ input }) =>
        (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) &&
        input.uri.fsPath === file,
    );
}
