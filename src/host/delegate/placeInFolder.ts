import { isAbsolute, relative, sep } from 'node:path';

/** A file as a job in `cwd` would name it: relative to that folder, with slashes; absolute when it lies elsewhere. */
export function placeInFolder(cwd: string | null, file: string): string {
  if (cwd === null) return file;
  const path = relative(cwd, file);
  const isInside =
    path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
  return isInside ? path.split(sep).join('/') : file;
}
