import { realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { isSafePath } from './safePath.ts';

/** Says which paths (relative to the repository) lie in the folder that a job was started for. Both must exist. */
export async function allowedPaths(
  repoRoot: string,
  allowedRoot: string,
): Promise<(path: string) => boolean> {
  const inside = relative(await realpath(repoRoot), await realpath(allowedRoot))
    .split(sep)
    .join('/');
  if (inside === '') return isSafePath;
  // A workspace above the repository allows all of it, one beside it nothing.
  if (/^(\.\.\/)*\.\.$/.test(inside)) return isSafePath;
  if (inside.startsWith('../') || isAbsolute(inside)) return () => false;
  return (path) => isSafePath(path) && path.startsWith(`${inside}/`);
}

/** Says whether an editor holds unsaved text of a path; `dirtyPaths` are absolute and may name the checkout by a link. */
export async function dirtyTest(
  repoRoot: string,
  dirtyPaths: readonly string[],
  isIgnoreCase: boolean,
): Promise<(path: string) => boolean> {
  const fold = (path: string) => (isIgnoreCase ? path.toLowerCase() : path);
  const dirty = new Set(dirtyPaths.map(fold));
  for (const path of dirtyPaths) {
    try {
      dirty.add(fold(await realpath(path)));
    } catch (error) {
      // An unsaved file that is not on disk has its written name only.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  const real = await realpath(repoRoot);
  return (path) => dirty.has(fold(join(repoRoot, path))) || dirty.has(fold(join(real, path)));
}
