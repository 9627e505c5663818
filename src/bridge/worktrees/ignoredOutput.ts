import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { KnownFile } from './worktreeMarker.ts';

/** Past this many single files under one ignored folder the folder is listed as a whole. */
const MAX_FILES_PER_FOLDER = 200;

/**
 * The ignored paths that are output of the job: not what was there at the start, unless it has changed since. `ignored` is
 * git's collapsed list, where a folder has a trailing slash; a folder that was there as a whole is not looked into.
 */
export async function changedIgnored(
  root: string,
  ignored: readonly string[],
  included: readonly KnownFile[],
): Promise<string[]> {
  if (included.length === 0) return [...ignored];
  const known = new Map(included.map((file) => [file.path, file]));
  const isUnchanged = async (path: string): Promise<boolean> => {
    const before = known.get(path);
    if (!before) return false;
    const now = await lstat(join(root, path));
    return now.size === before.size && now.mtimeMs === before.mtimeMs;
  };
  const changed: string[] = [];
  for (const path of ignored) {
    if (!path.endsWith('/')) {
      if (!(await isUnchanged(path))) changed.push(path);
    } else if (known.has(path)) {
      continue;
    } else if (!included.some((file) => file.path.startsWith(path))) {
      changed.push(path);
    } else {
      const inside: string[] = [];
      for await (const file of filesUnder(root, path)) {
        if (!(await isUnchanged(file))) inside.push(file);
        if (inside.length > MAX_FILES_PER_FOLDER) break;
      }
      changed.push(...(inside.length > MAX_FILES_PER_FOLDER ? [path] : inside));
    }
  }
  return changed;
}

/** What `changedIgnored` compares with. */
export async function knownFiles(root: string, paths: readonly string[]): Promise<KnownFile[]> {
  const files: KnownFile[] = [];
  for (const path of paths) {
    const { size, mtimeMs } = await lstat(join(root, path));
    files.push({ path, size, mtimeMs });
  }
  return files;
}

async function* filesUnder(root: string, folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}${entry.name}`;
    if (entry.isDirectory()) yield* filesUnder(root, `${path}/`);
    else yield path;
  }
}
