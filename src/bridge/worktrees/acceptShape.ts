import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConflictReason } from './acceptTypes.ts';
import { isThere } from './cleanUpDirectory.ts';
import type { JournalStep } from './journal.ts';
import { readPresent } from './journalState.ts';

/**
 * Targets that cannot be written because of what stands in the way: a link among the parents (the write would leave the
 * checkout), a file where a folder is needed, or a folder that holds more than the accept removes.
 */
export async function blockedTargets(
  repoRoot: string,
  steps: readonly JournalStep[],
): Promise<Map<string, ConflictReason>> {
  const removed = new Set(steps.flatMap((step) => (step.after === null ? [step.path] : [])));
  const blocked = new Map<string, ConflictReason>();
  for (const step of steps) {
    if (step.after === null) continue;
    if (await isInOtherRepository(repoRoot, step.path)) blocked.set(step.path, 'forbidden');
    const present = await readPresent(repoRoot, step.path, { format: 'sha1' });
    if (present.kind === 'behind' && !removed.has(present.parent)) {
      blocked.set(step.path, present.isLink ? 'forbidden' : 'type');
    }
    if (present.kind === 'directory' && !(await isCleared(repoRoot, step.path, removed))) {
      blocked.set(step.path, 'type');
    }
  }
  return blocked;
}

/** A submodule or a clone of the user's inside the checkout: its files are not this repository's to write. */
async function isInOtherRepository(repoRoot: string, path: string): Promise<boolean> {
  const parts = path.split('/').slice(0, -1);
  for (let depth = 1; depth <= parts.length; depth++) {
    if (await isThere(join(repoRoot, ...parts.slice(0, depth), '.git'))) return true;
  }
  return false;
}

/** Whether nothing is left of a folder once the removals are done. */
async function isCleared(
  repoRoot: string,
  directory: string,
  removed: ReadonlySet<string>,
): Promise<boolean> {
  const names = await readdir(join(repoRoot, directory));
  if (names.length === 0) return false;
  for (const name of names) {
    const path = `${directory}/${name}`;
    if (removed.has(path)) continue;
    if (
      !(await lstat(join(repoRoot, path))).isDirectory() ||
      !(await isCleared(repoRoot, path, removed))
    )
      return false;
  }
  return true;
}
