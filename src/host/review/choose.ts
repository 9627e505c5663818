import * as vscode from 'vscode';

export interface Choice<Value> {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly value: Value;
}

/**
 * Asks a question whose answers are sentences, by keyboard and without a modal wall; it stays when another window is looked at.
 * Undefined when the person left it.
 */
export async function choose<Value>(
  title: string,
  placeHolder: string,
  choices: readonly Choice<Value>[],
): Promise<Value | undefined> {
  const chosen = await vscode.window.showQuickPick([...choices], {
    title,
    placeHolder,
    ignoreFocusOut: true,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return chosen?.value;
}
