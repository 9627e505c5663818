import { lstat, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { showPath } from './showPath.ts';
import { ToolRefusal } from './toolRefusal.ts';

const MAX_NAMES = 20;

/** Says that a path is not there, and what is there instead, so that the next call finds it. */
export async function missingPath(root: string, path: string): Promise<ToolRefusal> {
  let folder = dirname(path);
  let missing = path;
  for (;;) {
    const names = await namesIn(join(root, folder));
    if (names !== null) {
      const where = folder === '.' ? 'the work folder' : showPath(folder);
      return new ToolRefusal(`${showPath(missing)} is not there; ${where} has ${listed(names)}.`);
    }
    if (await isFile(join(root, folder))) {
      return new ToolRefusal(`${showPath(missing)} is not there: ${showPath(folder)} is a file.`);
    }
    if (folder === '.') return new ToolRefusal(`${showPath(path)} is not there.`);
    missing = folder;
    folder = dirname(folder);
  }
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'nothing in it';
  const shown = names.slice(0, MAX_NAMES).map(showPath).join(', ');
  return names.length > MAX_NAMES ? `${shown} and ${names.length - MAX_NAMES} more` : shown;
}

async function namesIn(folder: string): Promise<string[] | null> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return null;
    throw error;
  }
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isFile();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return false;
    throw error;
  }
}
