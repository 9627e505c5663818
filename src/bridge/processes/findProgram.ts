import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

const LOGIN_SHELL_LIMIT_MS = 5_000;
const MARK = '__delegate_path__';

/**
 * The absolute path of a program: as named if it is a path, else on PATH, else on the PATH of the login shell, since an editor
 * started from a desktop has a short one. Null when it is nowhere.
 */
export async function findProgram(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): Promise<string | null> {
  if (name.includes('/') || isAbsolute(name)) {
    const path = resolve(cwd, name);
    return isExecutable(path) ? path : null;
  }
  const direct = findOnPath(name, env['PATH'] ?? '');
  if (direct !== null) return direct;
  return findOnPath(name, await loginShellPath(env));
}

function findOnPath(name: string, path: string): string | null {
  for (const folder of path.split(delimiter)) {
    // An empty or relative entry would run a program of the current folder, which may be a hostile workspace.
    if (!isAbsolute(folder)) continue;
    const file = join(folder, name);
    if (isExecutable(file)) return file;
  }
  return null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'EACCES' || code === 'ENOTDIR' || code === 'ELOOP')
      return false;
    throw error;
  }
}

async function loginShellPath(env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const shell = env['SHELL'];
  if (shell === undefined || !isAbsolute(shell) || process.platform === 'win32') return '';
  return new Promise((done) => {
    execFile(
      shell,
      ['-lc', `printf '%s%s' ${MARK} "$PATH"`],
      {
        timeout: LOGIN_SHELL_LIMIT_MS,
        encoding: 'utf8',
        env: { HOME: env['HOME'], USER: env['USER'], SHELL: shell },
      },
      // A shell that fails or hangs means only that nothing more is known.
      (_error, stdout) => done(stdout.split(MARK)[1] ?? ''),
    ).stdin?.end();
  });
}
