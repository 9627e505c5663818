import * as vscode from 'vscode';
import { groupOf } from '../../protocol/jobGroup.ts';
import type { HostParts } from '../hostParts.ts';
import { jobArguments } from './jobArgument.ts';
import { jobName } from './jobName.ts';
import { showFailure } from './showFailure.ts';

const ENDING = 'Waiting for its processes to end';

/**
 * Ends jobs. Nothing is asked: what a job has changed stays in its worktree, and it can be resumed or retried. Done when every process
 * of each is gone.
 */
export async function cancelJobCommand(
  args: readonly unknown[],
  parts: HostParts,
): Promise<readonly string[]> {
  const { jobs, link, log, selectedRows } = parts;
  const ids = await jobArguments(args, parts, {
    title: 'Cancel which job?',
    fits: (job) => ['running', 'waiting'].includes(groupOf(job)),
    none: 'No job runs or waits.',
  });
  const cancelled = await Promise.all(
    ids.map(async (jobId) => {
      const known = jobs.job(jobId);
      try {
        const { job } = await vscode.window.withProgress(
          {
            location: vscode.ProgressLocation.Window,
            title: `Cancelling ${known === null ? jobId : jobName(known)}`,
          },
          async (progress) => {
            progress.report({ message: ENDING });
            return link.call('cancel_job', { jobId });
          },
        );
        selectedRows.show(jobId);
        if (job.status === 'cancelled') return [jobId];
        // It was faster than the person.
        void vscode.window.showInformationMessage(
          `${jobName(job)} is over already: ${job.status}.`,
        );
      } catch (error) {
        void showFailure(error, log);
      }
      return [];
    }),
  );
  return cancelled.flat();
}
