import * as vscode from 'vscode';
import { VIEWS } from '../../contributions.ts';
import type { HostParts } from '../hostParts.ts';
import { JobsTree } from './jobsTree.ts';

/** The sidebar and the status bar. */
export function registerViews({ jobs }: HostParts): vscode.Disposable[] {
  const tree = new JobsTree(jobs);
  return [tree, vscode.window.createTreeView(VIEWS.jobs, { treeDataProvider: tree })];
}
