import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { hostLockFile } from '../jobs/jobPaths.ts';
import { namesIn } from '../namesIn.ts';
import { isKernelLockHeld } from '../processes/kernelLock.ts';
import { cleanUpWorktree } from '../worktrees/cleanUp.ts';
import type { Git } from '../worktrees/gitRunner.ts';
import { readMarker } from '../worktrees/worktreeMarker.ts';

/** Begins the ids of trees in which a gate is tried; no job has such an id. */
export const TRIAL_PREFIX = 'gatetrial';

/**
 * Removes the trees of trials whose process was killed: no lock is held for them any more, and there is no work in them to lose. One
 * that cannot be removed now is tried again next time.
 */
export async function removeLeftTrials(options: {
  readonly git: Git;
  readonly stateDir: string;
  /** Where the worktrees lie. */
  readonly baseDir: string;
}): Promise<void> {
  const { git, stateDir, baseDir } = options;
  for (const folder of namesIn(baseDir)) {
    const ids = namesIn(join(baseDir, folder))
      .filter((name) => name.startsWith(`${TRIAL_PREFIX}-`) && name.endsWith('.json'))
      .map((name) => name.slice(0, -'.json'.length));
    for (const id of ids) {
      const lockFile = hostLockFile(stateDir, id);
      if (isKernelLockHeld(lockFile)) continue;
      const root = join(baseDir, folder, id);
      const marker = await readMarker(root);
      if (marker === null) continue;
      const { commonDir, branch } = marker;
      const { left } = await cleanUpWorktree({ git, stateDir, commonDir, root, branch });
      if (left.length > 0) continue;
      for (const file of [lockFile, `${lockFile}-journal`]) rmSync(file, { force: true });
    }
  }
}
