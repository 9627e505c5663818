import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { TrustFile } from '../config/trust.ts';

/** Settings of Claude Code that a project brings along: hooks run programs, permissions widen what a job may do. */
const NAMES = ['.claude/settings.json', '.claude/settings.local.json'] as const;

/** The settings files of a folder, and the hash that trusting them records. */
export function projectSettings(folder: string): { file: string; hash: string }[] {
  return NAMES.map((name) => join(folder, name))
    .filter((file) => existsSync(file) && statSync(file).isFile())
    .map((file) => ({
      file,
      hash: createHash('sha256').update(readFileSync(file)).digest('hex'),
    }));
}

/**
 * Settings files that a session in `runCwd` would read and that nobody has trusted as they are in this tree. A worktree is
 * trusted through the checkout it was made of: by the path there, and by the content here.
 */
export function untrustedProjectSettings(
  trust: Pick<TrustFile, 'isTrusted'>,
  place: {
    readonly runCwd: string;
    /** Top of the job's tree; null outside git. */
    readonly treeRoot: string | null;
    readonly repoRoot: string | null;
  },
): string[] {
  const { runCwd, treeRoot, repoRoot } = place;
  const top = treeRoot ?? runCwd;
  return foldersUpTo(runCwd, top)
    .flatMap(projectSettings)
    .map(({ file, hash }) => ({ path: relative(top, file), hash }))
    .filter(({ path, hash }) => !trust.isTrusted(join(repoRoot ?? top, path), hash))
    .map(({ path }) => path);
}

function foldersUpTo(folder: string, top: string): string[] {
  const folders = [folder];
  for (let at = folder; at !== top && at.startsWith(top) && dirname(at) !== at;) {
    at = dirname(at);
    folders.push(at);
  }
  return folders;
}
