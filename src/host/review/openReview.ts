import * as vscode from 'vscode';
import type { ReviewState } from '../../protocol/ui/uiTools.ts';
import type { HostParts } from '../hostParts.ts';
import { changeNotes, hasDiff, type ReviewFile } from './changeNotes.ts';
import type { ReviewContents } from './reviewContents.ts';
import type { ReviewInFront } from './reviewInFront.ts';
import type { ReviewStates } from './reviewStates.ts';
import type { ReviewTitles } from './reviewTitles.ts';
import { reviewSource, reviewUri } from './reviewUri.ts';
import { changeTitle, reviewTitle } from './reviewWords.ts';

export interface ReviewEditorParts {
  readonly log: HostParts['log'];
  readonly states: ReviewStates;
  readonly contents: ReviewContents;
  readonly titles: ReviewTitles;
  readonly front: ReviewInFront;
}

/** Larger files are not compared for what a diff editor leaves out. */
const MAX_COMPARED_BYTES = 2 * 1024 * 1024;

/**
 * Opens what is left to decide of a job, or all of it when nothing is: several files in VS Code's multi-diff editor, one in a diff
 * editor of its own. Answers whether there was anything to show.
 */
export async function openReview(parts: ReviewEditorParts, jobId: string): Promise<boolean> {
  const { states, titles, front } = parts;
  states.forget(jobId);
  const [review, job] = await Promise.all([states.get(jobId), states.record(jobId)]);
  const files = filesToShow(review);
  const [only, another] = files;
  if (only === undefined) {
    void vscode.window.showInformationMessage(whyNothing(review));
    return false;
  }
  if (another === undefined) {
    await openChange(parts, jobId, only.path);
    return true;
  }
  // An editor that is open keeps the list that it was opened with.
  const stale = front.tabs(jobId).filter(({ target }) => target.kind === 'job');
  await vscode.window.tabGroups.close(
    stale.map(({ tab }) => tab),
    true,
  );
  const title = titles.name(reviewTitle(job.task), { kind: 'job', jobId });
  const sides = files.map((file) => sidesOf(jobId, file));
  const isThere = (await vscode.commands.getCommands(false)).includes(OPEN_MULTI_DIFF);
  if (isThere) {
    await vscode.commands.executeCommand(OPEN_MULTI_DIFF, {
      title,
      multiDiffSourceUri: vscode.Uri.from(reviewSource(jobId)),
      resources: sides.map(({ base, job: after }) => ({ originalUri: base, modifiedUri: after })),
    });
  } else {
    const resources = sides.map(({ base, job: after }) => [after ?? base, base, after]);
    await vscode.commands.executeCommand('vscode.changes', title, resources);
  }
  return true;
}

const OPEN_MULTI_DIFF = '_workbench.openMultiDiffEditor';

/** Opens one changed file of a job, what it was on the left and what the job made of it on the right. */
export async function openChange(
  parts: ReviewEditorParts,
  jobId: string,
  path: string,
  options: vscode.TextDocumentShowOptions = {},
): Promise<boolean> {
  const { states, titles, front } = parts;
  const [review, job] = await Promise.all([states.get(jobId), states.record(jobId)]);
  const file = review.files.find((each) => each.path === path);
  if (file === undefined) {
    void vscode.window.showInformationMessage(
      `The job does not change ${path} any more. Its changes are in the list of the job.`,
    );
    return false;
  }
  const notes = await notesOf(parts, jobId, file);
  if (!hasDiff(file)) {
    void vscode.window.showInformationMessage(`${path}: ${notes.join(', ')}.`);
    return false;
  }
  const title = titles.name(changeTitle(path, job.task, notes), { kind: 'file', jobId, path });
  const { base, job: after } = sidesOf(jobId, file);
  const single = after ?? base;
  if (single === undefined) return false;
  if (file.binary && (base === undefined || after === undefined)) {
    await vscode.commands.executeCommand('vscode.open', single, options, title);
    return true;
  }
  await vscode.commands.executeCommand(
    'vscode.diff',
    base ?? vscode.Uri.from(reviewUri({ jobId, path, side: 'base' }, true)),
    after ?? vscode.Uri.from(reviewUri({ jobId, path, side: 'job' }, true)),
    title,
    options,
  );
  if (file.binary) await front.learn({ kind: 'file', jobId, path });
  return true;
}

/** What is left to decide; all when nothing is. Entries without two texts are told elsewhere. */
export function filesToShow(review: ReviewState): ReviewFile[] {
  const shown = review.files.filter(hasDiff);
  const open = shown.filter((file) => file.decision === 'open');
  return open.length > 0 ? open : shown;
}

/** What a diff of the file does not show, its contents looked at. */
async function notesOf(
  { contents, log }: Pick<ReviewEditorParts, 'contents' | 'log'>,
  jobId: string,
  file: ReviewFile,
): Promise<string[]> {
  const { path, oldPath, binary, change } = file;
  if (binary || change === 'added' || change === 'deleted' || !hasDiff(file))
    return changeNotes(file);
  const before = { jobId, path: oldPath ?? path, side: 'base' } as const;
  const after = { jobId, path, side: 'job' } as const;
  try {
    const facts = await Promise.all([contents.facts(before), contents.facts(after)]);
    if (facts.some((each) => (each?.sizeBytes ?? 0) > MAX_COMPARED_BYTES)) return changeNotes(file);
    const [base, job] = await Promise.all([contents.read(before), contents.read(after)]);
    return base === null || job === null ? changeNotes(file) : changeNotes(file, { base, job });
  } catch (error) {
    // The editor that is about to open tells the same failure where it belongs.
    log.debug(`No notes on ${path}: ${String(error)}`);
    return changeNotes(file);
  }
}

function sidesOf(
  jobId: string,
  file: ReviewFile,
): { readonly base: vscode.Uri | undefined; readonly job: vscode.Uri | undefined } {
  const { path, oldPath, change } = file;
  const base = reviewUri({ jobId, path: oldPath ?? path, side: 'base' });
  const job = reviewUri({ jobId, path, side: 'job' });
  return {
    base: change === 'added' ? undefined : vscode.Uri.from(base),
    job: change === 'deleted' ? undefined : vscode.Uri.from(job),
  };
}

function whyNothing({ note, files }: ReviewState): string {
  if (note !== null) return note;
  if (files.length === 0) return 'The job changed nothing.';
  return `There is no text to compare: ${files
    .map((file) => `${file.path} (${changeNotes(file).join(', ')})`)
    .slice(0, 5)
    .join('; ')}.`;
}
