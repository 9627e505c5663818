import * as vscode from 'vscode';
import { endpointNameProblem, suggestEndpointName } from './endpointName.ts';

/** A name for a new endpoint: valid, and of no other one. Undefined when the person leaves. */
export async function askEndpointName(question: {
  readonly title: string;
  readonly wish: string;
  readonly taken: readonly string[];
}): Promise<string | undefined> {
  const { title, wish, taken } = question;
  const name = await vscode.window.showInputBox({
    title,
    prompt: 'Name of the endpoint, as lists and receipts show it',
    value: suggestEndpointName(wish, taken),
    ignoreFocusOut: true,
    validateInput: (text) => endpointNameProblem(text, taken),
  });
  return name?.trim();
}
