import * as vscode from 'vscode';
import { VIEWS } from '../../contributions.ts';
import type { HostParts } from '../hostParts.ts';
import { JobsTree } from './jobsTree.ts';

/** The sidebar and the status bar. */
export function registerViews({ jobs, selectedRows }: HostParts): vscode.Disposable[] {
  const tree = new JobsTree(jobs);
  const view = vscode.window.createTreeView(VIEWS.jobs, {
    treeDataProvider: tree,
    canSelectMany: true,
  });
  return [tree, view, view.onDidChangeSelection(({ selection }) => selectedRows.set(selection))];
}
