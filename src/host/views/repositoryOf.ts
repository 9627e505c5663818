import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** Top of the repository that holds a folder, by the same rule as the server's list; null outside git. Starts no process. */
export function repositoryOf(folder: string): string | null {
  if (!existsSync(folder)) return null;
  for (let current = realpathSync(folder); ; current = dirname(current)) {
    if (existsSync(join(current, '.git'))) return current;
    if (dirname(current) === current) return null;
  }
}

/** Whether a program named git lies on the PATH that the server gets. */
export function hasGit(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): boolean {
  const names = platform === 'win32' ? ['git.exe', 'git.cmd'] : ['git'];
  return (env['PATH'] ?? env['Path'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .some((folder) => names.some((name) => isProgram(join(folder, name))));
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false; // not there, or not to be run: both are no git
  }
}
