import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { showPath } from './showPath.ts';
import { ToolRefusal } from './toolRefusal.ts';
import type { WorkPath } from './workPath.ts';

/**
 * The permission bits of the file that a write would replace; null when there is none.
 * @throws ToolRefusal when it must not be replaced
 */
export async function presentFile({ absolute, path }: WorkPath): Promise<number | null> {
  try {
    const { mode, ...found } = await stat(absolute).then((each) => ({
      mode: each.mode & 0o777,
      isFolder: each.isDirectory(),
      isFile: each.isFile(),
    }));
    if (found.isFolder) throw new ToolRefusal(`${showPath(path)} is a folder, not a file.`);
    if (!found.isFile) throw new ToolRefusal(`${showPath(path)} is a pipe or a device.`);
    // A rename would replace a file that its owner made read-only.
    await access(absolute, constants.W_OK);
    return mode;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') return null;
    if (code === 'ENOTDIR') {
      throw new ToolRefusal(`${showPath(path)}: a part of the path is a file, not a folder.`);
    }
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
      throw new ToolRefusal(`${showPath(path)} is read-only.`);
    }
    throw error;
  }
}
