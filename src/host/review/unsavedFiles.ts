import { join } from 'node:path';
import * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';
import type { ReviewFile } from './changeNotes.ts';
import { choose } from './choose.ts';
import { readReviewUri } from './reviewUri.ts';
import { named } from './reviewWords.ts';

/** Files on disk that have unsaved text in this window, in whatever editor. */
export function unsavedPaths(): string[] {
  const documents = [...vscode.workspace.textDocuments, ...vscode.workspace.notebookDocuments];
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const uris = [
    ...documents.filter((document) => document.isDirty).map((document) => document.uri),
    ...tabs.filter((tab) => tab.isDirty).flatMap((tab) => uriOf(tab.input)),
  ];
  return [...new Set(uris.filter((uri) => uri.scheme === 'file').map((uri) => uri.fsPath))];
}

/**
 * Saves what the person has edited of the job's side and not saved yet, after asking. False when the person left the question.
 * @throws BridgeError `dirty_editor` when an editor could not be saved
 */
export async function saveReviewEdits(
  jobId: string,
  isChosen: (path: string) => boolean,
): Promise<boolean> {
  const edited = vscode.workspace.textDocuments.flatMap((document) => {
    const shown = document.isDirty ? readReviewUri(document.uri) : null;
    const isOurs = shown?.side === 'job' && shown.jobId === jobId && isChosen(shown.path);
    return isOurs ? [{ document, path: shown.path }] : [];
  });
  if (edited.length === 0) return true;
  const names = named(edited.map(({ path }) => path));
  const answer = await choose('Unsaved edits', `You edited ${names} in the review.`, [
    { label: 'Save and go on', detail: 'Your edits are taken with the rest.', value: 'save' },
    {
      label: 'Go on without these edits',
      detail: "The job's files are taken as they were saved last.",
      value: 'leave',
    },
  ]);
  if (answer === 'save') await saveAll(edited.map(({ document }) => document));
  return answer !== undefined;
}

/**
 * Asks about editors with unsaved text on files that are about to be written. Answers which files of the selection to leave out, or
 * null when the person left the question.
 * @throws BridgeError `dirty_editor` when an editor could not be saved
 */
export async function settleTargets(
  repoRoot: string,
  files: readonly ReviewFile[],
): Promise<readonly string[] | null> {
  const unsaved = new Set(unsavedPaths());
  const isUnsaved = (path: string | null) => path !== null && unsaved.has(join(repoRoot, path));
  const blocked = files.filter((file) => isUnsaved(file.path) || isUnsaved(file.oldPath));
  if (blocked.length === 0) return [];
  const paths = blocked.map((file) => file.path);
  const targets = blocked.flatMap((file) =>
    [file.path, file.oldPath].filter(isUnsaved).map((path) => join(repoRoot, path ?? '')),
  );
  const answer = await choose(
    'Unsaved files in your checkout',
    `${named(paths)} ${paths.length === 1 ? 'has' : 'have'} unsaved text in an editor.`,
    [
      {
        label: 'Save and accept',
        detail: 'Your text is saved first; then the change of the job is merged into it.',
        value: 'save',
      } as const,
      ...(files.length > blocked.length
        ? [
            {
              label: 'Accept the other files',
              detail: `${named(paths)} ${paths.length === 1 ? 'stays' : 'stay'} open for later.`,
              value: 'skip',
            } as const,
          ]
        : []),
    ],
  );
  if (answer === 'skip') return paths;
  if (answer !== 'save') return null;
  await saveAll(
    vscode.workspace.textDocuments.filter(
      (document) => document.uri.scheme === 'file' && targets.includes(document.uri.fsPath),
    ),
  );
  return [];
}

async function saveAll(documents: readonly vscode.TextDocument[]): Promise<void> {
  for (const document of documents) {
    if (await document.save()) continue;
    throw new BridgeError('dirty_editor', `${document.uri.path.slice(1)} could not be saved.`, {
      hint: 'Its editor says why.',
    });
  }
}

function uriOf(input: unknown): vscode.Uri[] {
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom)
    return [input.uri];
  if (input instanceof vscode.TabInputTextDiff) return [input.modified];
  return input instanceof vscode.TabInputNotebook ? [input.uri] : [];
}
