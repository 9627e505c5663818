import * as vscode from 'vscode';
import { runCommand } from '../../contributions.ts';
import { briefLine } from '../../protocol/briefLine.ts';
import { formatPlural } from '../../protocol/statusLineParts.ts';
import type { HostParts } from '../hostParts.ts';
import { type CleanUpReport, type CleanUpRow, cleanUpRows } from './cleanUpRows.ts';
import { foreignLabel } from './foreignLabel.ts';
import { sizeWords } from './sizeWords.ts';
import { withProgress } from './withProgress.ts';

/** Rows of one kind that are shown; what is more is counted. */
const MAX_ROWS = 100;

/**
 * Shows what jobs take on the disk, what a clean-up would remove and what it keeps and why; then does it when that is wanted.
 * @returns what was done; undefined when nothing was
 */
export async function cleanUp(parts: HostParts): Promise<CleanUpReport | undefined> {
  const { link } = parts;
  const plan = await withProgress('Looking at what jobs take on the disk', (signal) =>
    link.call('gc', { dryRun: true }, signal),
  );
  if (!(await confirm(parts, plan))) return undefined;
  const done = await withProgress('Cleaning up', () => link.call('gc', {}));
  await parts.jobs.update();
  void tell(done);
  return done;
}

/** Asks again after a job was looked at. */
async function confirm(parts: HostParts, plan: CleanUpReport): Promise<boolean> {
  const { action, actionDetail, goes, stays, total } = cleanUpRows(plan);
  const separator = (label: string) => ({
    ...{ label, kind: vscode.QuickPickItemKind.Separator, jobId: null, isAction: false },
  });
  const rows = (title: string, all: readonly CleanUpRow[]) =>
    all.length === 0
      ? []
      : [
          separator(`${title} (${all.length})`),
          ...all.slice(0, MAX_ROWS).map(({ jobId, description }) => ({
            ...{ label: titleOf(parts, jobId), description, jobId, isAction: false },
          })),
          ...(all.length > MAX_ROWS ? [separator(`and ${all.length - MAX_ROWS} more`)] : []),
        ];
  const chosen = await vscode.window.showQuickPick(
    [
      {
        label: `$(${goes.length === 0 ? 'sync' : 'trash'}) ${action}`,
        ...{ detail: actionDetail, description: '', jobId: null, isAction: true },
      },
      ...rows('would go', goes),
      ...rows('kept', stays),
    ],
    {
      title: 'Clean Up',
      placeHolder: `Jobs take ${total} in all. Choose a job to look at it.`,
      matchOnDescription: true,
    },
  );
  if (chosen === undefined) return false;
  if (chosen.isAction) return true;
  if (chosen.jobId !== null) await runCommand('openJob', chosen.jobId);
  return false;
}

function titleOf({ steps, jobs }: HostParts, jobId: string): string {
  const job = jobs.job(jobId) ?? steps.jobs.job(jobId);
  return job === null ? jobId : foreignLabel(briefLine(job.task) || jobId, 80);
}

async function tell({ removedJobs, freedBytes, needsCleanUp }: CleanUpReport): Promise<void> {
  const removed =
    removedJobs.length === 0
      ? 'Nothing was old enough to go.'
      : `Removed the logs of ${formatPlural(removedJobs.length, 'job')}, ${sizeWords(freedBytes)}.`;
  if (needsCleanUp.length === 0) {
    void vscode.window.showInformationMessage(removed);
    return;
  }
  const show = 'Show Them';
  const choice = await vscode.window.showWarningMessage(
    `${removed} ${formatPlural(needsCleanUp.length, 'leftover')} could not be removed and need a hand.`,
    show,
  );
  if (choice !== show) return;
  const items = needsCleanUp.map(({ jobId, what, why }) => ({
    ...{ label: foreignLabel(what, 200), description: jobId, detail: foreignLabel(why, 300) },
  }));
  await vscode.window.showQuickPick(items, { title: 'Needs a Hand', matchOnDetail: true });
}
