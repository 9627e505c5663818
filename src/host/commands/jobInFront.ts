import * as vscode from 'vscode';
import { jobOfUri, type JobReference } from './jobReference.ts';

/** The job, and its file, whose change or merge is shown in the editor in front; null for every other editor. */
export function jobInFront(): JobReference | null {
  // In a multi-diff editor only the text editor tells which file has the focus.
  return [vscode.window.activeTextEditor?.document.uri, ...urisOfTab()].reduce<JobReference | null>(
    (found, uri) => found ?? (uri === undefined ? null : jobOfUri(uri)),
    null,
  );
}

function urisOfTab(): vscode.Uri[] {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputTextDiff) return [input.modified, input.original];
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom)
    return [input.uri];
  return [];
}
