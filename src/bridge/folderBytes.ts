import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Size of all files below a folder; links count as nothing and are not followed. What goes away meanwhile, or may not be read, is not counted. */
export async function folderBytes(folder: string): Promise<number> {
  let sum = 0;
  for (const entry of (await unlessGone(readdir(folder, { withFileTypes: true }))) ?? []) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) sum += await folderBytes(path);
    else if (entry.isFile()) sum += (await unlessGone(lstat(path)))?.size ?? 0;
  }
  return sum;
}

async function unlessGone<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (['ENOENT', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
