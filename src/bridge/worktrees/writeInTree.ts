import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, realpath, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BridgeError } from '../../base/bridgeError.ts';
import { openInTree, outside, placeInTree } from './openInTree.ts';

const NEW_FILE_MODE = 0o644;

/**
 * Gives a file of a worktree new content, all of it or none: written beside the worktree, where a change list does not look, then moved
 * over the old one, whose permissions it has. A file that shares its content with one elsewhere (a hard link) leaves that one alone.
 * Throws `bad_argument` for a link, for what is no file, and for a path that leads out of the tree.
 */
export async function writeInTree(root: string, path: string, content: Buffer): Promise<void> {
  const present = await openInTree(root, path);
  if (present.kind === 'link') {
    throw new BridgeError('bad_argument', `${path} is a link and is not written through.`, {
      hint: 'Change the file that it names, or reject it.',
    });
  }
  const mode = present.kind === 'file' ? present.mode : NEW_FILE_MODE;
  if (present.kind === 'file') await present.file.close();
  const full = await placeToWrite(root, path);
  const temporary = `${root}.save-${randomBytes(6).toString('hex')}`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    await fill(file, content, mode);
    // A folder on the way could have become a link meanwhile.
    if ((await realpath(dirname(full))) !== dirname(full)) throw outside(path);
    await rename(temporary, full);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** A file that the job had deleted comes back with its folders. */
async function placeToWrite(root: string, path: string): Promise<string> {
  const full = await placeInTree(root, path);
  if (full !== null) return full;
  const top = await realpath(root);
  await mkdir(dirname(`${top}/${path}`), { recursive: true });
  const made = await placeInTree(root, path);
  if (made === null) throw outside(path);
  return made;
}

async function fill(file: FileHandle, content: Buffer, mode: number): Promise<void> {
  try {
    await file.writeFile(content);
    await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}
