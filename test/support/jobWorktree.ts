import {
  createWorktree,
  type CreateWorktreeOptions,
} from '../../src/bridge/worktrees/createWorktree.ts';
import type { CreatedWorktree } from '../../src/bridge/worktrees/furnishWorktree.ts';
import type { TempRepo } from './tempRepo.ts';

/** A job's worktree of a temp repository, with the defaults of a job that was asked for in its top folder. */
export function jobWorktree(
  repo: TempRepo,
  options: Partial<CreateWorktreeOptions> = {},
): Promise<CreatedWorktree> {
  return createWorktree({
    git: repo.runner,
    cwd: repo.root,
    jobId: 'job-1',
    baseDir: repo.baseDir,
    include: 'auto',
    submodules: 'auto',
    from: 'head',
    stateDir: repo.stateDir,
    ...options,
  });
}
