import * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';
import { sanitiseLine } from '../../base/sanitise.ts';
import type { HostParts } from '../hostParts.ts';
import { delegateFlow } from './delegateFlow.ts';
import { folderOf } from './folderOf.ts';
import { guardedExcerpts } from './guardedExcerpts.ts';
import type { KeptDelegations } from './keptDelegations.ts';
import type { ProblemPlace } from './problemActions.ts';
import { problemAttachments } from './problemAttachments.ts';

/** Hands over problems: those of a quick fix, else those at the cursor, else the ones chosen from the file in front. */
export async function delegateProblemCommand(
  [place]: readonly unknown[],
  parts: HostParts,
  kept: KeptDelegations,
): Promise<string | undefined> {
  const found = isPlace(place) ? await named(place) : await inFront();
  if (found === undefined) return undefined;
  const { document, diagnostics } = found;
  const cwd = folderOf(document.uri);
  const problems = problemAttachments(document, cwd, diagnostics);
  const attachments = await guardedExcerpts(document.uri, cwd, problems, parts);
  return attachments.length === 0 ? undefined : delegateFlow(parts, kept, { cwd, attachments });
}

interface Found {
  readonly document: vscode.TextDocument;
  readonly diagnostics: readonly vscode.Diagnostic[];
}

async function named({ uri, problems }: ProblemPlace): Promise<Found> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
  const diagnostics = vscode.languages
    .getDiagnostics(document.uri)
    .filter(({ range, message }) =>
      problems.some((each) => each.line === range.start.line && each.message === message),
    );
  if (diagnostics.length === 0)
    throw new BridgeError('bad_argument', 'The problem is not there any more.');
  return { document, diagnostics };
}

async function inFront(): Promise<Found | undefined> {
  const editor = vscode.window.activeTextEditor;
  const all = editor === undefined ? [] : vscode.languages.getDiagnostics(editor.document.uri);
  if (editor === undefined || all.length === 0)
    throw new BridgeError('bad_argument', 'The file in front has no problems.', {
      hint: 'Open the file of the problem, and put the cursor on it.',
    });
  const { document, selection } = editor;
  const atCursor = all.filter(
    ({ range }) => range.start.line <= selection.end.line && range.end.line >= selection.start.line,
  );
  const diagnostics = atCursor.length > 0 ? atCursor : await choose(all);
  return diagnostics.length === 0 ? undefined : { document, diagnostics };
}

async function choose(all: readonly vscode.Diagnostic[]): Promise<readonly vscode.Diagnostic[]> {
  const items = all.map((diagnostic) => ({
    label: sanitiseLine(diagnostic.message, 120),
    description: `line ${diagnostic.range.start.line + 1}`,
    diagnostic,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: 'Which problems?',
    canPickMany: true,
  });
  return chosen?.map(({ diagnostic }) => diagnostic) ?? [];
}

function isPlace(value: unknown): value is ProblemPlace {
  const { kind, uri, problems } = (value ?? {}) as Partial<ProblemPlace>;
  return kind === 'problem' && typeof uri === 'string' && Array.isArray(problems);
}
