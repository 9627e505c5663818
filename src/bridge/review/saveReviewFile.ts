import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { BridgeError } from '../../base/bridgeError.ts';
import type { JobRecord } from '../../protocol/job.ts';
import type { BridgeContext } from '../bridgeContext.ts';
import { listChanges } from '../worktrees/changeList.ts';
import { findRepository } from '../worktrees/repository.ts';
import { withRepositoryLock } from '../worktrees/repositoryLock.ts';
import { assertWorktree, WorktreeGit } from '../worktrees/worktreeGit.ts';
import { writeInTree } from '../worktrees/writeInTree.ts';
import { presentCoverage } from './presentCoverage.ts';
import { assertSize } from './reviewFile.ts';
import { assertOpen, assertUnused, repoRootOf, reviewableTree } from './reviewRules.ts';

/** Writes the job's side of a file, as an editor saves it, and says on the record what that changes. */
export async function saveReviewFile(
  context: BridgeContext,
  job: JobRecord,
  path: string,
  content: Buffer,
): Promise<{ sizeBytes: number; mtimeMs: number }> {
  const tree = reviewableTree(job);
  if (job.isolation === 'none') {
    throw new BridgeError('not_supported', 'The job worked in the checkout itself.', {
      hint: `Edit ${path} there.`,
    });
  }
  assertOpen(job);
  assertUnused(context, job, tree);
  assertSize(path, content.length);
  const git = await context.git();
  const { commonDir } = await findRepository(git, repoRootOf(context, job.id));
  await withRepositoryLock({ stateDir: context.stateDir, commonDir }, async () => {
    await assertWorktree(git, tree.root);
    await writeInTree(tree.root, path, content);
  });
  const { size, mtimeMs } = await lstat(join(tree.root, path));
  const files = await listChanges({
    git: new WorktreeGit(git, tree.root),
    root: tree.root,
    base: tree.base,
  });
  const covers = await presentCoverage(context, job, tree);
  context.store.update(job.id, (present) => ({
    ...present,
    filesChanged: files,
    gate:
      present.gate === null || present.gate.covers === 'merged'
        ? present.gate
        : { ...present.gate, covers },
  }));
  return { sizeBytes: size, mtimeMs };
}
