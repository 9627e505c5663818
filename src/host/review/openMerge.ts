import * as vscode from 'vscode';
import { briefLine } from '../../protocol/briefLine.ts';
import type { MergeDocuments } from './mergeDocuments.ts';
import { targetOfTab } from './reviewTarget.ts';
import { type MergeSide, reviewUri } from './reviewUri.ts';
import { withoutIcons } from './reviewWords.ts';

const OPEN_MERGE_EDITOR = '_open.mergeEditor';
const FOCUS_STEPS = 60;
const FOCUS_STEP_MS = 50;

export interface MergeToOpen {
  readonly jobId: string;
  readonly path: string;
  readonly task: string;
  /** What the person has asked for: a merge of its own, or one of several of an accept. */
  readonly place: { readonly at: number; readonly of: number };
}

/**
 * Opens VS Code's merge editor on the checkout's file and the job's; where there is none, the text with markers in a plain editor.
 * Only the finished text takes part in an accept.
 */
export async function openMerge(documents: MergeDocuments, merge: MergeToOpen): Promise<void> {
  const { jobId, path, task, place } = merge;
  await documents.begin(jobId, path);
  const uri = (side: MergeSide) => vscode.Uri.from(reviewUri({ jobId, path, side }));
  const commands = await vscode.commands.getCommands(false);
  if (!commands.includes(OPEN_MERGE_EDITOR)) {
    await vscode.window.showTextDocument(uri('result'), { preview: false });
    return;
  }
  const step = place.of > 1 ? `${place.at} of ${place.of}: ${path}` : path;
  await vscode.commands.executeCommand(OPEN_MERGE_EDITOR, {
    base: uri('merge-base'),
    input1: { uri: uri('yours'), title: 'Yours', description: 'your checkout', detail: step },
    input2: {
      uri: uri('theirs'),
      title: "The Job's",
      description: withoutIcons(briefLine(task, 50)),
      detail: step,
    },
    output: uri('result'),
  });
  await focus(jobId, path);
}

/** It opens without the focus and in its own time; who chose to merge wants to go on with the keyboard. */
async function focus(jobId: string, path: string): Promise<void> {
  for (let wait = 0; wait < FOCUS_STEPS; wait += 1) {
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    const target = tab === undefined ? null : targetOfTab(tab, () => null);
    if (target?.kind === 'merge' && target.jobId === jobId && target.path === path) {
      await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, FOCUS_STEP_MS));
  }
}
