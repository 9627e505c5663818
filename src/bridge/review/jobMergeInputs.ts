import { join } from 'node:path';
import { BridgeError } from '../../base/bridgeError.ts';
import type { JobRecord } from '../../protocol/job.ts';
import type { BridgeContext } from '../bridgeContext.ts';
import { jobDir } from '../jobs/jobPaths.ts';
import { listChanges } from '../worktrees/changeList.ts';
import { type MergeInputs, mergeInputs } from '../worktrees/mergeInputs.ts';
import { WorktreeGit } from '../worktrees/worktreeGit.ts';
import { repoRootOf, reviewableTree } from './reviewRules.ts';

/** The texts for a merge editor of one file that the job and the user both changed. */
export async function jobMergeInputs(
  context: BridgeContext,
  job: JobRecord,
  path: string,
): Promise<MergeInputs> {
  const tree = reviewableTree(job);
  if (job.isolation === 'none') {
    throw new BridgeError('not_supported', 'The job worked in the checkout itself.', {
      hint: 'There is nothing to merge.',
    });
  }
  const git = await context.git();
  const files = await listChanges({
    git: new WorktreeGit(git, tree.root),
    root: tree.root,
    base: tree.base,
  });
  const file = files.find((changed) => changed.path === path);
  if (file === undefined) {
    throw new BridgeError('bad_argument', `The job has not changed ${path}.`, {
      hint: 'Name the file as the change list shows it.',
    });
  }
  return mergeInputs({
    git,
    repoRoot: repoRootOf(context, job.id),
    root: tree.root,
    base: tree.base,
    file,
    scratchDir: join(jobDir(context.stateDir, job.id), 'scratch'),
  });
}
