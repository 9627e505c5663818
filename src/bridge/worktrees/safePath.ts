import { isAbsolute, sep } from 'node:path';

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
export function isSafePath(path: string): boolean {
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
