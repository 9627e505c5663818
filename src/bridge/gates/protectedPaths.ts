import picomatch from 'picomatch';
import type { ChangedFile } from '../../protocol/job.ts';

/** Protected paths that were changed without leave: the gate is then `tampered`, whatever it would say. */
export function withoutLeave(paths: readonly string[], mayChange: readonly string[]): string[] {
  const allowed = new Set(matchingPaths(paths, mayChange));
  return paths.filter((path) => !allowed.has(path));
}

export function matchingPaths(paths: readonly string[], patterns: readonly string[]): string[] {
  if (patterns.length === 0) return [];
  const isMatch = picomatch([...patterns], { dot: true });
  return paths.filter((path) => isMatch(path));
}

/** The paths among the changes, old names of renames included; what is only ignored output does not count. */
export function changedPaths(files: readonly ChangedFile[]): string[] {
  const paths = files
    .filter((file) => file.change !== 'ignored')
    .flatMap((file) => (file.oldPath === null ? [file.path] : [file.path, file.oldPath]));
  return [...new Set(paths)];
}
