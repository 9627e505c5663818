import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';
import { SCHEMES } from '../../contributions.ts';
import type { HostParts } from '../hostParts.ts';
import { DirtyPaths } from './dirtyPaths.ts';
import { EditedFiles } from './editedFiles.ts';
import { MergeDocuments } from './mergeDocuments.ts';
import { OpenSides } from './openSides.ts';
import { ReviewActions } from './reviewActions.ts';
import { registerReviewCommands } from './reviewCommands.ts';
import { ReviewContents } from './reviewContents.ts';
import { ReviewFileSystem } from './reviewFileSystem.ts';
import { ReviewInFront } from './reviewInFront.ts';
import { ReviewStates } from './reviewStates.ts';
import { ReviewStatusItem } from './reviewStatusItem.ts';
import { ReviewTitles } from './reviewTitles.ts';
import { unsavedPaths } from './unsavedFiles.ts';

/** Looking at changes and deciding about them. */
export function registerReview(host: HostParts): vscode.Disposable[] {
  const { context, link, jobs, log } = host;
  const states = new ReviewStates(host);
  const contents = new ReviewContents(link);
  const edited = new EditedFiles(context.workspaceState);
  const titles = new ReviewTitles(context.workspaceState);
  const merges = new MergeDocuments(link, context.workspaceState);
  const front = new ReviewInFront(titles, states);
  const files = new ReviewFileSystem({
    contents,
    isOpen: async (jobId) => vscode.workspace.isTrusted && (await states.isOpen(jobId)),
    save: async ({ jobId, path }, content) => {
      if (!vscode.workspace.isTrusted)
        throw new BridgeError('restricted', 'In Restricted Mode nothing is changed.');
      const contentBase64 = Buffer.from(content).toString('base64');
      await link.call('save_review_file', { jobId, path, contentBase64 });
      edited.add(jobId, path);
      states.forget(jobId);
    },
  });
  const dirtyPaths = new DirtyPaths({
    link,
    windowId: randomUUID(),
    read: unsavedPaths,
    onError: (error) => log.warn(`Unsaved files: ${BridgeError.from(error).message}`),
  });
  host.farewells.push(() => dirtyPaths.dispose());
  const actions = new ReviewActions({
    ...{ host, log, states, contents, titles, front, edited, dirtyPaths, merges },
  });

  const typed = () => dirtyPaths.changed();
  const options = { isCaseSensitive: true };
  return [
    ...[states, merges, front, files],
    vscode.workspace.registerFileSystemProvider(SCHEMES.base, files, {
      ...options,
      isReadonly: new vscode.MarkdownString('This is what the job started from.'),
    }),
    vscode.workspace.registerFileSystemProvider(SCHEMES.job, files, options),
    vscode.workspace.registerFileSystemProvider(SCHEMES.merge, merges, options),
    new ReviewStatusItem({ front, states, log, conflicts: actions.conflicts }),
    new OpenSides(jobs, files),
    vscode.workspace.onDidChangeTextDocument(typed),
    vscode.workspace.onDidSaveTextDocument(typed),
    vscode.workspace.onDidCloseTextDocument(typed),
    vscode.window.tabGroups.onDidChangeTabs(typed),
    ...registerReviewCommands({ host, actions, front, states }),
  ];
}
