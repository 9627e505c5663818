import { stat } from 'node:fs/promises';
import { missingPath } from './missingPath.ts';
import { workPath, type WorkPath } from './workPath.ts';

export interface StartPlace extends WorkPath {
  readonly isFolder: boolean;
}

/**
 * Where a search or a listing begins; without a path, the work folder.
 * @throws ToolRefusal when it is not there or not in the work folder
 */
export async function startFolder(root: string, input: string | null): Promise<StartPlace> {
  const place = await workPath(root, input === null || input === '' ? '.' : input);
  try {
    return { ...place, isFolder: (await stat(place.absolute)).isDirectory() };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') throw await missingPath(root, place.path);
    throw error;
  }
}
