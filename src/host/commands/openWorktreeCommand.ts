import * as vscode from 'vscode';
import { BridgeError } from '../../base/bridgeError.ts';
import type { HostParts } from '../hostParts.ts';
import { jobArgument } from './jobArgument.ts';
import { recordOf } from './recordOf.ts';

/** Opens the worktree of a job in a window of its own. */
export async function openWorktreeCommand(
  args: readonly unknown[],
  parts: HostParts,
): Promise<string | undefined> {
  const jobId = await jobArgument(args, parts, {
    title: 'Open the worktree of which job?',
    fits: (job) => job.worktree?.kept === true,
    none: 'No job has a worktree now.',
  });
  if (jobId === undefined) return undefined;
  const { worktree, review, isolation } = await recordOf(jobId, parts);
  if (worktree === null || !worktree.kept || isolation === 'none')
    throw new BridgeError('worktree_gone', 'The job has no worktree now.', {
      hint:
        review.status === 'rejected'
          ? 'Restore the job first.'
          : isolation === 'none'
            ? 'It worked in the folder itself.'
            : '',
    });
  await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(worktree.root), {
    forceNewWindow: true,
  });
  return worktree.root;
}
