import { randomBytes } from 'node:crypto';
import { chmod, lstat, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const RETRIES = 10;
const RETRY_DELAY_MS = 50;

export interface NotRemoved {
  readonly what: string;
  readonly why: string;
}

/**
 * Takes a directory away. It is renamed first, so that its path is free at once, whatever still writes into it; what then
 * cannot be deleted stays under `.trash-<name>-…` beside it, is reported, and goes with a later call.
 */
export async function removeDirectory(path: string): Promise<NotRemoved[]> {
  const parent = dirname(path);
  const prefix = `.trash-${basename(path)}-`;
  const problems: NotRemoved[] = [];
  if (await isThere(path)) {
    const trash = join(parent, `${prefix}${randomBytes(4).toString('hex')}`);
    try {
      await rename(path, trash);
    } catch (error) {
      if (!isFileError(error)) throw error;
      // In use as a working directory (Windows) or a mount point: emptied in place as far as that goes.
      const why = await removeTree(path);
      if (why !== null) problems.push({ what: path, why });
    }
  }
  for (const name of await namesIn(parent)) {
    if (!name.startsWith(prefix)) continue;
    const why = await removeTree(join(parent, name));
    if (why !== null) problems.push({ what: join(parent, name), why });
  }
  return problems;
}

/** Null when it is gone, else why not. */
async function removeTree(path: string): Promise<string | null> {
  for (let isOpened = false; ; isOpened = true) {
    try {
      await rm(path, {
        recursive: true,
        force: true,
        maxRetries: RETRIES,
        retryDelay: RETRY_DELAY_MS,
      });
      return null;
    } catch (error) {
      if (!isFileError(error)) throw error;
      const isDenied = error.code === 'EACCES' || error.code === 'EPERM';
      if (isOpened || !isDenied) return `${error.message}`;
      // Files of a read-only folder (a Go module cache, say) can be deleted once the folder is writable.
      await openFolders(path);
    }
  }
}

async function openFolders(directory: string): Promise<void> {
  const stat = await lstat(directory);
  if (!stat.isDirectory()) return;
  try {
    await chmod(directory, 0o700);
  } catch (error) {
    // Somebody else's folder: the deletion that follows says so.
    if (!isFileError(error)) throw error;
    return;
  }
  for (const name of await readdir(directory)) await openFolders(join(directory, name));
}

export async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isFileError(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return false;
    throw error;
  }
}

async function namesIn(directory: string): Promise<string[]> {
  return (await isThere(directory)) ? await readdir(directory) : [];
}

export function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).code === 'string';
}
