import { join } from 'node:path';
import type { Git } from './gitRunner.ts';
import { restoreConfig } from './guardConfig.ts';
import { captureFiles, restoreFiles } from './guardFiles.ts';
import { GuardLog } from './guardLog.ts';
import { captureHeads, captureRefs, restoreRefs } from './guardRefs.ts';
import { captureStash, restoreStash } from './guardStash.ts';
import type { RepositoryState, RestoreOptions, RestoreReport } from './guardTypes.ts';
import { headLogSizes } from './headLogs.ts';
import { findRepository } from './repository.ts';
import { pathHash, withRepositoryLock } from './repositoryLock.ts';

export type { RepositoryState, RestoreReport } from './guardTypes.ts';

/**
 * Notes what a job in a linked worktree could reach in the user's repository: config, hooks, info, refs, HEADs, stash.
 * To be called when the worktree is made, before the job starts. The result is plain data.
 */
export async function captureRepository(git: Git, repoRoot: string): Promise<RepositoryState> {
  const { commonDir } = await findRepository(git, repoRoot);
  const [files, refs, heads, logs, stash] = await Promise.all([
    captureFiles(commonDir),
    captureRefs(git, repoRoot),
    captureHeads(commonDir),
    headLogSizes(commonDir),
    captureStash(git, repoRoot),
  ]);
  return { repoRoot, commonDir, files, refs, heads, headLogSizes: logs, stash };
}

/**
 * Compares with `before` and puts back what the job touched. A user works in the same repository at the same time, so each
 * kind has its rule (at the function that applies it): put back what the job is shown to have done, or what is dangerous
 * and can be done again in a moment; report the rest. What is put back is always kept first. Index and files of
 * the checkout are not looked at: a linked worktree does not share them.
 *
 * To be called when the job has ended, before the bridge reads the tree: config can name programs that a later git call
 * would run.
 */
export async function restoreRepository(
  git: Git,
  before: RepositoryState,
  options: RestoreOptions,
): Promise<RestoreReport> {
  const { commonDir } = before;
  const log = new GuardLog(join(options.stateDir, 'guard', `${pathHash(commonDir)}.log`));
  return withRepositoryLock({ stateDir: options.stateDir, commonDir }, async () => {
    const reports = [
      // Config first: until then the other calls would go by what the job wrote.
      await restoreConfig(git, before, options, log),
      await restoreFiles(commonDir, before.files, options, log),
      await restoreRefs(git, before, options),
      await restoreStash(git, before, options),
    ];
    return {
      restored: reports.flatMap((report) => report.restored),
      unsure: reports.flatMap((report) => report.unsure),
    };
  });
}
