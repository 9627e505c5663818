import { join } from 'node:path';
import type { ChangedFile } from '../../protocol/job.ts';
import { acceptOnBranch } from './acceptBranch.ts';
import { acceptLocked } from './acceptLocked.ts';
import { recoverLocked } from './acceptRecover.ts';
import type { AcceptResult } from './acceptTypes.ts';
import type { Git } from './gitRunner.ts';
import { readWorktreeSide } from './mergeSides.ts';
import type { OnStep } from './journalRun.ts';
import type { Provenance } from './provenance.ts';
import { findRepository } from './repository.ts';
import { withRepositoryLock } from './repositoryLock.ts';

export interface AcceptOptions {
  readonly git: Git;
  readonly stateDir: string;
  /** Top of the user's checkout. */
  readonly repoRoot: string;
  /** The job's worktree. */
  readonly root: string;
  readonly branch: string | null;
  readonly base: string;
  readonly files: readonly ChangedFile[];
  readonly selection: readonly string[] | 'all';
  readonly jobDir: string;
  readonly jobId: string;
  /** Absolute paths of files with unsaved text in any editor. */
  readonly dirtyPaths: readonly string[];
  readonly skipConflicts: boolean;
  readonly dryRun: boolean;
  readonly how: 'working-tree' | 'branch';
  readonly provenance: Provenance;
  /** Finished texts from a merge editor, by path, as they are to lie on disk. */
  readonly resolved?: ReadonlyMap<string, Buffer> | undefined;
  /** The folder that the job was started for; nothing outside it is written. */
  readonly allowedRoot: string;
  readonly signal?: AbortSignal | undefined;
  readonly onStep?: OnStep | undefined;
}

/**
 * Takes the selected changes into the user's checkout: all of them, or (on a conflict, unless it may skip those) none.
 * HEAD, index, stash and branches stay as they are. Throws `bad_argument` for a path the job has not changed,
 * `worktree_gone`, `git_failed`, `storage_full`; on a throw the checkout is as it was.
 */
export async function acceptChanges(options: AcceptOptions): Promise<AcceptResult> {
  const { git, repoRoot, jobDir, signal } = options;
  const { commonDir } = await findRepository(git, repoRoot, signal);
  return await withRepositoryLock({ stateDir: options.stateDir, commonDir, signal }, async () => {
    if (options.how === 'branch') return await acceptOnBranch(options);
    // A write of this job that was cut short is settled first: the plan has to see one state or the other.
    if (!options.dryRun) await recoverLocked({ git, jobDir, onStep: options.onStep });
    const scratchDir = join(jobDir, 'scratch');
    return await acceptLocked({
      ...options,
      scratchDir,
      readTheirs: async (paths) => await readWorktreeSide({ ...options, scratchDir }, paths),
    });
  });
}
