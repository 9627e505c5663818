import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BridgeError } from '../../base/bridgeError.ts';
import { isSafePath } from './safePath.ts';

/** What lies at a path of a tree; `file` is open for reading and is closed by the caller. */
export type InTree =
  | { readonly kind: 'absent' }
  | { readonly kind: 'link'; readonly target: Buffer; readonly mtimeMs: number }
  | {
      readonly kind: 'file';
      readonly file: FileHandle;
      readonly sizeBytes: number;
      readonly mtimeMs: number;
      readonly mode: number;
    };

/**
 * Looks at one path of a tree in which a hostile job has worked: no link is followed, neither the last nor one on the way, a pipe is
 * not waited for, and nothing outside the tree or in a git directory is reached. Throws `bad_argument` for such a path and for what is
 * no file.
 */
export async function openInTree(root: string, path: string): Promise<InTree> {
  const full = await placeInTree(root, path);
  if (full === null) return { kind: 'absent' };
  const found = await lstatOrNull(full);
  if (found === null) return { kind: 'absent' };
  if (found.isSymbolicLink()) {
    const target = await readlink(full, { encoding: 'buffer' });
    return { kind: 'link', target, mtimeMs: found.mtimeMs };
  }
  if (!found.isFile()) throw noFile(path);
  const file = await open(full, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const opened = await file.stat();
    // Both looked at the same file, or somebody has put another in its place.
    if (!opened.isFile() || opened.ino !== found.ino || opened.dev !== found.dev)
      throw noFile(path);
    if ((await realpath(full)) !== full) throw outside(path);
    return {
      kind: 'file',
      file,
      sizeBytes: opened.size,
      mtimeMs: opened.mtimeMs,
      mode: opened.mode & 0o7777,
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * The absolute place of a path whose folders are all real ones of the tree; null when one of them is not there. Throws `bad_argument`
 * for a path that leads elsewhere.
 */
export async function placeInTree(root: string, path: string): Promise<string | null> {
  if (!isSafePath(path)) throw outside(path);
  const top = await realpath(root);
  let folder = top;
  for (const name of path.split('/').slice(0, -1)) {
    folder = join(folder, name);
    const found = await lstatOrNull(folder);
    if (found === null) return null;
    if (!found.isDirectory()) throw outside(path);
    if ((await lstatOrNull(join(folder, '.git'))) !== null) throw outside(path);
  }
  if (dirname(join(top, path)) !== folder) throw outside(path);
  return join(top, path);
}

export function outside(path: string): BridgeError {
  return new BridgeError(
    'bad_argument',
    `${path} leads out of the worktree, through a link or into another repository.`,
    { hint: 'Only files of the change list can be looked at.' },
  );
}

function noFile(path: string): BridgeError {
  return new BridgeError('bad_argument', `${path} is a folder or a device, not a file.`, {
    hint: 'Only files of the change list can be looked at.',
  });
}

async function lstatOrNull(path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}
