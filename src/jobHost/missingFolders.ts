import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Folders that builds need and git ignores, so that a new worktree lacks them. */
const INSTALLED = ['node_modules', '.venv', 'venv', 'vendor', 'target', 'Pods'];

/** Why a gate may have failed that has nothing to do with the job: the checkout has a folder that its worktree lacks. */
export function missingFoldersWarning(repoRoot: string, treeRoot: string): string | null {
  const missing = INSTALLED.filter(
    (name) => existsSync(join(repoRoot, name)) && !existsSync(join(treeRoot, name)),
  );
  if (missing.length === 0) return null;
  const verb = missing.length === 1 ? 'is' : 'are';
  return `${missing.join(', ')} ${verb} in your checkout and not in the worktree, which may be why the gate failed: set worktrees.setup in models.yaml (for example "npm ci").`;
}
