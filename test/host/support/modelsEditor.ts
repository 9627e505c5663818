import * as vscode from 'vscode';
import { eventually } from '../eventually.ts';
import { processesOfRun } from './processesOfRun.ts';

/** Far more than an answer takes: a test that is red says so before the whole suite is out of time. */
const LIMIT_MS = 30_000;

/** The messages of problems that models.yaml has now, in its order. */
export function problemsOf(uri: vscode.Uri): string[] {
  return vscode.languages
    .getDiagnostics(uri)
    .filter(({ source }) => source === 'delegation-bridge')
    .sort((a, b) => a.range.start.compareTo(b.range.start))
    .map(({ message }) => message);
}

/** Resolves when a problem matches, with its diagnostic. */
export async function problem(uri: vscode.Uri, pattern: RegExp): Promise<vscode.Diagnostic> {
  const find = (): vscode.Diagnostic | undefined =>
    vscode.languages.getDiagnostics(uri).find(({ message }) => pattern.test(message));
  await eventually(
    () => find() !== undefined,
    () => `${pattern}, not ${JSON.stringify(vscode.languages.getDiagnostics(uri))}`,
    LIMIT_MS,
  );
  return find() as vscode.Diagnostic;
}

/** Resolves when no problem matches. */
export async function noProblem(uri: vscode.Uri, pattern: RegExp): Promise<void> {
  await eventually(
    () => !vscode.languages.getDiagnostics(uri).some(({ message }) => pattern.test(message)),
    () => `no ${pattern} in ${JSON.stringify(problemsOf(uri))}`,
    LIMIT_MS,
  );
}

/** Replaces text by text, as an edit that is not saved. */
export async function change(uri: vscode.Uri, from: string, to: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const at = document.getText().indexOf(from);
  if (at < 0) throw new Error(`${JSON.stringify(from)} is not in\n${document.getText()}`);
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(at), document.positionAt(at + from.length));
  edit.replace(uri, range, to);
  if (!(await vscode.workspace.applyEdit(edit))) throw new Error('the edit was not taken');
}

/** The place after a text. */
export async function after(uri: vscode.Uri, text: string): Promise<vscode.Position> {
  const document = await vscode.workspace.openTextDocument(uri);
  const at = document.getText().indexOf(text);
  if (at < 0) throw new Error(`${JSON.stringify(text)} is not in\n${document.getText()}`);
  return document.positionAt(at + text.length);
}

/** Process ids of the language servers of this run. */
export function languageServers(scratch: string): number[] {
  return processesOfRun(scratch)
    .filter(({ argv }) => argv.some((each) => each.endsWith('/languageServer.cjs')))
    .map(({ pid }) => pid);
}
