import { realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';

/**
 * Names that git or a file system may take for `.git`: other case, an NTFS short name, trailing dots and spaces, a stream,
 * or characters that HFS+ ignores.
 */
function isGitDirName(name: string): boolean {
  const plain = name
    .replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '')
    .replace(/:.*$/, '')
    .replace(/[. ]+$/, '')
    .toLowerCase();
  return plain === '.git' || plain === 'git~1';
}

/** Whether a path from a change list is a plain path inside a checkout and outside every git directory. */
function isSafePath(path: string): boolean {
  if (
    path === '' ||
    path.includes('\0') ||
    isAbsolute(path) ||
    (sep === '\\' && path.includes('\\'))
  )
    return false;
  return path
    .split('/')
    .every((name) => name !== '' && name !== '.' && name !== '..' && !isGitDirName(name));
}

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
