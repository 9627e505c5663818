import * as vscode from 'vscode';
import { eventually } from '../eventually.ts';
import { onPage } from './page.ts';

export const OPEN_JOB = 'delegationBridge.openJob';
export const OPEN_LOG = 'delegationBridge.openLog';

/** The text of a part of the panel in front. */
export async function panelText(selector: string): Promise<string> {
  return onPage(async ({ webview }, input) => {
    const found = webview().locator(input).first();
    await found.waitFor({ state: 'attached' });
    return found.innerText();
  }, selector);
}

/** Waits for a text in a part of the panel in front; `what` is said when it does not come. */
export async function panelShows(
  selector: string,
  text: string | RegExp,
  what: string,
): Promise<void> {
  await eventually(async () => {
    const shown = await panelText(selector);
    return typeof text === 'string' ? shown.includes(text) : text.test(shown);
  }, what);
}

export async function closeAllEditors(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

/** The job of the panel in front. */
export async function jobInFront(): Promise<string> {
  return onPage(
    async ({ webview }) => (await webview().locator('body').getAttribute('data-job-id')) ?? '',
  );
}
