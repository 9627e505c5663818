import { join } from 'node:path';
import { BridgeError } from '../../base/bridgeError.ts';
import { namesIn } from '../namesIn.ts';
import type { Git } from '../worktrees/gitRunner.ts';
import { cleanUpWorktree } from '../worktrees/cleanUp.ts';
import { baseRefOf } from '../worktrees/createWorktree.ts';
import { tryFindRepository } from '../worktrees/repository.ts';
import type { StoredJob } from './jobRow.ts';
import type { JobStore } from './jobStore.ts';
import { isFinal } from './status.ts';

export interface HalfMadeOptions {
  readonly git: Git;
  readonly store: JobStore;
  readonly stateDir: string;
  /** Where the worktrees of a repository's jobs lie. */
  readonly baseDirOf: (repoRoot: string) => string;
}

/**
 * Removes what is left of worktrees whose making was cut short: the job's host was killed before it had written the tree into
 * the record, so no session ever ran in it and there is no work to lose. Can be repeated; returns what could not be removed and why.
 */
export async function removeHalfMadeTrees(options: HalfMadeOptions): Promise<string[]> {
  const left: string[] = [];
  for (const job of options.store.list({ statuses: ['lost', 'failed', 'cancelled', 'timeout'] })) {
    if (!hasNoTree(job) || job.spec.repoRoot === null) continue;
    for (const root of rootsOf(job.record.id, options.baseDirOf(job.spec.repoRoot))) {
      try {
        left.push(...(await remove(options, job.record.id, job.spec.repoRoot, root)));
      } catch (error) {
        // One that cannot be removed stops neither the others nor the job whose host does this.
        left.push(`${root}: ${BridgeError.from(error).message}`);
      }
    }
  }
  return left;
}

function hasNoTree({ record }: StoredJob): boolean {
  return (
    isFinal(record.status) &&
    record.startedAt !== null &&
    record.isolation === 'worktree' &&
    record.worktree === null
  );
}

/** The folder of a tree, or its marker beside it, is enough: whichever the kill has left. */
function rootsOf(jobId: string, baseDir: string): string[] {
  const roots = new Set<string>();
  for (const folder of namesIn(baseDir)) {
    for (const name of namesIn(join(baseDir, folder))) {
      if (name.startsWith(jobId))
        roots.add(join(baseDir, folder, name.replace(/\.(json|index)$/, '')));
    }
  }
  return [...roots];
}

async function remove(
  { git, stateDir }: HalfMadeOptions,
  jobId: string,
  repoRoot: string,
  root: string,
): Promise<string[]> {
  const repository = await tryFindRepository(git, repoRoot);
  if (repository === null) return [`${root}: its repository is gone`];
  const { left } = await cleanUpWorktree({
    git,
    stateDir,
    commonDir: repository.commonDir,
    root,
    branch: `delegate/${root.slice(root.lastIndexOf(jobId))}`,
    refs: [baseRefOf(jobId)],
  });
  return left.map(({ what, why }) => `${what}: ${why}`);
}
