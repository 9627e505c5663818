import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Every file below a folder, byte for byte as latin1, and where links lead. What another process takes away meanwhile is left out. */
export function textsBelow(folder: string): { readonly file: string; readonly text: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    const file = relative(folder, path);
    try {
      if (entry.isFile()) return [{ file, text: readFileSync(path, 'latin1') }];
      if (entry.isSymbolicLink()) return [{ file, text: readlinkSync(path) }];
      return [];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  });
}
