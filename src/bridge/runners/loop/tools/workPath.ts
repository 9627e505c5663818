import { existsSync } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isSafePath } from '../../../worktrees/safePath.ts';
import { showPath } from './showPath.ts';
import { ToolRefusal } from './toolRefusal.ts';

/** A path below the work folder, links followed as far as there is something to follow. */
export interface WorkPath {
  readonly absolute: string;
  /** From the work folder, with `/`; `.` for the folder itself. */
  readonly path: string;
}

/**
 * Reads a path that a model gave. It decides by the real path of the deepest part that is there, so that no link leads out, also
 * for a file that is yet to be made. This keeps a model's slip inside the folder; a hostile process that swaps a folder for a link
 * at the right moment is what the jail is for.
 * @param root real path of the work folder
 * @throws ToolRefusal when it is none, or leads out of the folder
 */
export async function workPath(root: string, input: string): Promise<WorkPath> {
  if (input === '') throw new ToolRefusal('The path is empty; "." is the work folder.');
  if (input.includes('\0')) throw new ToolRefusal('A path cannot have a NUL character in it.');
  const absolute = await realPathOf(resolve(root, input), input);
  if (absolute === root) return { absolute, path: '.' };
  const below = relative(root, absolute);
  if (below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below)) {
    throw new ToolRefusal(`${showPath(input)} is outside the work folder, and refused.`);
  }
  return { absolute, path: below.split(sep).join('/') };
}

/** The same for a file that is to be written: what belongs to git is for git alone. */
export async function writablePath(root: string, input: string): Promise<WorkPath> {
  const found = await workPath(root, input);
  // Else its folders would be made anew, and the work be in a place that nobody looks at.
  if (!existsSync(root)) throw new ToolRefusal('The work folder is not there any more.');
  if (found.path === '.') throw new ToolRefusal('This is the work folder itself, not a file.');
  const asGiven = relative(root, resolve(root, input)).split(sep).join('/');
  if (![found.path, ...(asGiven.startsWith('..') ? [] : [asGiven])].every(isSafePath)) {
    throw new ToolRefusal(`${showPath(input)} belongs to git; files of it are not written here.`);
  }
  return found;
}

async function realPathOf(path: string, input: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ELOOP') throw new ToolRefusal(`${showPath(input)} is a link to itself.`);
    if (code === 'ENAMETOOLONG') throw new ToolRefusal('The path is too long.');
    if (code === 'EACCES') throw new ToolRefusal(`${showPath(input)}: permission denied.`);
    const parent = dirname(path);
    if ((code !== 'ENOENT' && code !== 'ENOTDIR') || parent === path) throw error;
    if (await isLink(path)) {
      throw new ToolRefusal(`${showPath(input)} is a link to something that is not there.`);
    }
    return join(await realPathOf(parent, input), basename(path));
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    if (code === 'ENAMETOOLONG') throw new ToolRefusal('The path is too long.');
    throw error;
  }
}
