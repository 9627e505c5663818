import { join } from 'node:path';
import type { ChangedFile } from '../../protocol/job.ts';
import { acceptLocked } from './acceptLocked.ts';
import { recoverLocked } from './acceptRecover.ts';
import type { AcceptResult } from './acceptTypes.ts';
import type { Git } from './gitRunner.ts';
import type { OnStep } from './journalRun.ts';
import { readCommitSide } from './mergeSides.ts';
import { findRepository } from './repository.ts';
import { withRepositoryLock } from './repositoryLock.ts';

export interface UndoInPlaceOptions {
  readonly git: Git;
  readonly stateDir: string;
  readonly repoRoot: string;
  readonly jobDir: string;
  readonly jobId: string;
  /** Snapshots of the folder at the start and at the end of the job. */
  readonly before: string;
  readonly after: string;
  /** The job's change list, from `before` to `after`. */
  readonly files: readonly ChangedFile[];
  readonly selection: readonly string[] | 'all';
  readonly dirtyPaths: readonly string[];
  readonly skipConflicts: boolean;
  readonly dryRun: boolean;
  readonly allowedRoot: string;
  readonly signal?: AbortSignal | undefined;
  readonly onStep?: OnStep | undefined;
}

/**
 * Takes back what a job without a worktree did in the user's folder: the change from `after` to `before`, three-way like an
 * accept, so that what the user has written since is merged or refused and never lost. It has an undo version of its own.
 */
export async function undoInPlace(options: UndoInPlaceOptions): Promise<AcceptResult> {
  const { git, repoRoot, jobDir, signal } = options;
  const { commonDir } = await findRepository(git, repoRoot, signal);
  return await withRepositoryLock({ stateDir: options.stateDir, commonDir, signal }, async () => {
    if (!options.dryRun) await recoverLocked({ git, jobDir, onStep: options.onStep });
    return await acceptLocked({
      ...options,
      base: options.after,
      files: options.files.map(reversed),
      scratchDir: join(jobDir, 'scratch'),
      readTheirs: async (paths) =>
        await readCommitSide({ git, repoRoot, commit: options.before, signal }, paths),
    });
  });
}

function reversed(file: ChangedFile): ChangedFile {
  if (file.change === 'renamed' && file.oldPath !== null) {
    return { ...file, path: file.oldPath, oldPath: file.path };
  }
  if (file.change === 'added') return { ...file, change: 'deleted' };
  return file.change === 'deleted' ? { ...file, change: 'added' } : file;
}
