import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { missingPath } from './missingPath.ts';
import { showPath } from './showPath.ts';
import { ToolRefusal } from './toolRefusal.ts';
import type { WorkPath } from './workPath.ts';

export interface OpenedFile {
  readonly handle: FileHandle;
  readonly sizeBytes: number;
  /** Permission bits. */
  readonly mode: number;
}

/**
 * Opens a file for reading; the caller closes it.
 * @throws ToolRefusal when there is none, or what is there is no file
 */
export async function openFile(root: string, { absolute, path }: WorkPath): Promise<OpenedFile> {
  let handle: FileHandle;
  try {
    // Without O_NONBLOCK, a pipe that nobody writes to would be waited for without end.
    handle = await open(absolute, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') throw await missingPath(root, path);
    if (code === 'EACCES' || code === 'EPERM') {
      throw new ToolRefusal(`${showPath(path)}: permission denied.`);
    }
    if (code === 'ENXIO') throw new ToolRefusal(`${showPath(path)} is a socket, not a file.`);
    throw error;
  }
  try {
    const stat = await handle.stat();
    if (stat.isDirectory()) {
      throw new ToolRefusal(`${showPath(path)} is a folder; list_dir shows what is in it.`);
    }
    if (!stat.isFile()) {
      throw new ToolRefusal(`${showPath(path)} is a pipe or a device, not a file.`);
    }
    return { handle, sizeBytes: stat.size, mode: stat.mode & 0o777 };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
