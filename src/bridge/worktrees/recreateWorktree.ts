import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BridgeError } from '../../base/bridgeError.ts';
import { cleanUpLocked } from './cleanUp.ts';
import { baseRefOf } from './createWorktree.ts';
import { furnishWorktree, type CreatedWorktree } from './furnishWorktree.ts';
import type { GitRunner } from './gitRunner.ts';
import type { IncludeSetting } from './includeFiles.ts';
import { findRepository } from './repository.ts';
import { withRepositoryLock } from './repositoryLock.ts';
import type { SubmodulePolicy } from './submodules.ts';
import { assertWorktree } from './worktreeGit.ts';
import { readMarker } from './worktreeMarker.ts';

/**
 * For a job that is resumed: its worktree as it is when it is still there, else a new one at the same path from the same
 * base, since a session remembers paths. Throws `isolation_failed` when the path is taken by something else, the
 * base commit is gone, or the job's branch has commits that the base does not have (they are never thrown away).
 */
export async function recreateWorktree(options: {
  git: GitRunner;
  /** The folder that the job was started from, in the user's checkout. */
  cwd: string;
  /** Of the job that made the worktree first. */
  jobId: string;
  root: string;
  branch: string;
  base: string;
  include: IncludeSetting;
  submodules: SubmodulePolicy;
  stateDir: string;
  signal?: AbortSignal | undefined;
}): Promise<CreatedWorktree> {
  const { git, root, branch, base, stateDir, signal } = options;
  const repository = await findRepository(git, options.cwd, signal);
  const { commonDir, repoRoot, prefix } = repository;
  if (existsSync(root)) {
    await assertWorktree(git, root, signal);
    const marker = await readMarker(root);
    if (marker?.gitDir !== undefined && marker.gitDir !== null) {
      return {
        ...{ repoRoot, commonDir, gitDir: marker.gitDir, root, branch, base },
        runCwd: join(root, prefix),
        included: marker.included.map((file) => file.path),
        skippedIncludes: [],
        warnings: [],
      };
    }
    throw new BridgeError(
      'isolation_failed',
      `${root} is not a worktree that a job was started in.`,
    );
  }
  await withRepositoryLock({ stateDir, commonDir, signal }, async () => {
    const call = { cwd: commonDir, signal };
    const tip = await git.run(
      ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}^{commit}`],
      {
        ...call,
        okCodes: [0, 1, 128],
      },
    );
    const at = tip.stdout.toString('utf8').trim();
    if (at !== '' && at !== base) {
      throw new BridgeError(
        'isolation_failed',
        `The branch ${branch} has commits, but its worktree is gone.`,
        {
          hint: `Look at them with "git log ${branch}", and delete the branch if you do not need them.`,
        },
      );
    }
    await mkdir(dirname(root), { recursive: true });
    // Only the registration is left of it; another one's is not touched.
    await cleanUpLocked({ git, commonDir, root, branch: null });
    await git.run(['update-ref', baseRefOf(options.jobId), base], call);
    // -B: the branch, if there is one, is at the base.
    await git.run(['worktree', 'add', '--no-track', '-B', branch, '--', root, base], call);
  });
  return furnishWorktree({ ...options, repository });
}
