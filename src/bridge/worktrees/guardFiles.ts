import { existsSync } from 'node:fs';
import {
  chmod,
  lstat,
  mkdir,
  readFile,
  readdir,
  readlink,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { GuardLog } from './guardLog.ts';
import type { GuardedFile, RestoreOptions, RestoreReport } from './guardTypes.ts';

/** All guarded files of a git directory, with those of its submodules. */
export async function captureFiles(commonDir: string): Promise<Record<string, GuardedFile>> {
  const files: Record<string, GuardedFile> = {};
  for (const path of await guardedPaths(commonDir)) {
    const state = await readState(join(commonDir, path));
    if (state) files[path] = state;
  }
  return files;
}

export function isConfigFile(path: string): boolean {
  return /(^|\/)config(\.worktree)?$/.test(path) && !/(^|\/)hooks\//.test(path);
}

/**
 * Puts back hooks and info files (config goes by key, elsewhere). Nothing tells who wrote them; as they run programs or
 * change what git sees, they are always put back, and what stood there is kept in the job's folder.
 */
export async function restoreFiles(
  commonDir: string,
  before: Readonly<Record<string, GuardedFile>>,
  options: RestoreOptions,
  log: GuardLog,
): Promise<RestoreReport> {
  const report: RestoreReport = { restored: [], unsure: [] };
  const now = await captureFiles(commonDir);
  const paths = new Set([...Object.keys(before), ...Object.keys(now)]);
  for (const path of [...paths].filter((path) => !isConfigFile(path)).sort()) {
    const was = before[path] ?? null;
    const is = now[path] ?? null;
    const [wasText, isText] = [JSON.stringify(was), JSON.stringify(is)];
    if (wasText === isText || (await log.wasRemoved(path, wasText))) continue;
    if (/sparse-checkout$/.test(path)) {
      report.unsure.push(`${path} changed`);
      continue;
    }
    if (is) await keepCopy(path, is, options);
    await writeState(join(commonDir, path), was);
    await log.add(path, isText);
    report.restored.push(`${path} (${is === null ? 'deleted' : was === null ? 'new' : 'changed'})`);
  }
  return report;
}

/** Copies what is about to be replaced to the job's folder, as a plain file that nothing runs. */
export async function keepCopy(
  path: string,
  state: GuardedFile,
  options: Pick<RestoreOptions, 'keepDir'>,
): Promise<void> {
  const to = join(options.keepDir, 'tampered', path);
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  const content =
    'link' in state ? `symbolic link to ${state.link}\n` : Buffer.from(state.base64, 'base64');
  await writeFile(to, content, { mode: 0o600 });
}

export async function writeState(file: string, state: GuardedFile | null): Promise<void> {
  if (state === null) {
    await rm(file, { force: true, recursive: true });
    return;
  }
  await mkdir(dirname(file), { recursive: true });
  const scratch = `${file}.delegate-${process.pid}`;
  await rm(scratch, { force: true });
  if ('link' in state) {
    await symlink(state.link, scratch);
  } else {
    await writeFile(scratch, Buffer.from(state.base64, 'base64'));
    await chmod(scratch, state.mode);
  }
  await rename(scratch, file);
}

export async function readState(file: string): Promise<GuardedFile | null> {
  try {
    const stat = await lstat(file);
    if (stat.isSymbolicLink()) return { link: await readlink(file) };
    if (!stat.isFile()) return null;
    return { mode: stat.mode & 0o777, base64: (await readFile(file)).toString('base64') };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

async function guardedPaths(commonDir: string, prefix = ''): Promise<string[]> {
  const at = (path: string) => join(commonDir, prefix, path);
  const paths = ['config', 'config.worktree', 'objects/info/alternates'];
  for (const name of ['attributes', 'exclude', 'grafts', 'sparse-checkout'])
    paths.push(`info/${name}`);
  for (const id of await entries(at('worktrees'))) paths.push(`worktrees/${id}/config.worktree`);
  // Samples are never run.
  for (const path of await filesBelow(at('hooks')))
    if (!path.endsWith('.sample')) paths.push(`hooks/${path}`);
  const here = paths.map((path) => `${prefix}${path}`);
  const worktrees = await entries(at('worktrees'));
  for (const modules of ['modules', ...worktrees.map((id) => `worktrees/${id}/modules`)]) {
    for (const folder of await moduleFolders(at(modules))) {
      here.push(...(await guardedPaths(commonDir, `${prefix}${modules}/${folder}/`)));
    }
  }
  return here;
}

/** Submodule names may have slashes: a git directory is where a HEAD is. */
async function moduleFolders(modules: string, below = ''): Promise<string[]> {
  const found: string[] = [];
  for (const name of await entries(join(modules, below))) {
    const path = below === '' ? name : `${below}/${name}`;
    if (existsSync(join(modules, path, 'HEAD'))) found.push(path);
    else found.push(...(await moduleFolders(modules, path)));
  }
  return found;
}

async function filesBelow(folder: string, below = ''): Promise<string[]> {
  const found: string[] = [];
  for (const name of await entries(join(folder, below))) {
    const path = below === '' ? name : `${below}/${name}`;
    const isFolder = (await lstat(join(folder, path))).isDirectory();
    found.push(...(isFolder ? await filesBelow(folder, path) : [path]));
  }
  return found;
}

async function entries(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}
