import type { ChangedFile } from '../../protocol/job.ts';
import { listChanges } from './changeList.ts';
import { baseRefOf } from './createWorktree.ts';
import type { Git } from './gitRunner.ts';
import { removeWorktree } from './removeWorktree.ts';
import { withRepositoryLock } from './repositoryLock.ts';

export interface FinishedWorktree {
  readonly kept: boolean;
  readonly changes: ChangedFile[];
  /** Why a tree without changed files is kept, or null. */
  readonly note: string | null;
}

/**
 * At the end of a job: a tree that holds nothing but what it was given goes, with registration, branch and base ref; every
 * other is kept. The caller sees to it that no other job uses the worktree. Throws like `listChanges`, and then removes
 * nothing.
 */
export async function finishWorktree(options: {
  git: Git;
  commonDir: string;
  root: string;
  branch: string;
  base: string;
  jobId: string;
  stateDir: string;
}): Promise<FinishedWorktree> {
  const { git, commonDir, root, branch, base, jobId, stateDir } = options;
  const changes = await listChanges({ git, root, base });
  if (changes.length > 0) {
    const isOnlyIgnored = changes.every((change) => change.change === 'ignored');
    return { kept: true, changes, note: isOnlyIgnored ? 'only ignored files changed' : null };
  }
  const heads = await git.text(['rev-parse', 'HEAD', `refs/heads/${branch}`], {
    cwd: root,
    readOnly: true,
  });
  if (heads.split('\n').some((head) => head !== base)) {
    return { kept: true, changes, note: 'commits without a net change' };
  }
  await withRepositoryLock({ stateDir, commonDir }, () =>
    removeWorktree({ git, commonDir, root, branch, refs: [baseRefOf(jobId)] }),
  );
  return { kept: false, changes, note: null };
}
