import { existsSync } from 'node:fs';
import {
  constants,
  copyFile,
  lstat,
  mkdir,
  readFile,
  readlink,
  realpath,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { randomUUID } from 'node:crypto';
import { jsonrepair } from 'jsonrepair';
import type { Git } from './gitRunner.ts';
import type { WorktreeMarker } from './worktreeMarker.ts';

/** `auto`: `.worktreeinclude` of the repository, else VS Code's `git.worktreeIncludeFiles`; a list: those patterns. */
export type IncludeSetting = 'auto' | 'none' | readonly string[];

export interface IncludeResult {
  readonly included: WorktreeMarker['included'];
  readonly skipped: { readonly path: string; readonly reason: string }[];
}

/**
 * Copies files that git ignores (`.env` and the like) from the checkout into a new worktree. Only files that are really
 * ignored, never over a file that the worktree has, and never through a symbolic link. A file that cannot be copied is
 * reported; only a full disk fails.
 */
export async function includeFiles(options: {
  git: Git;
  repoRoot: string;
  root: string;
  include: IncludeSetting;
  /** Folder for a scratch file. */
  scratchDir: string;
  signal?: AbortSignal | undefined;
}): Promise<IncludeResult> {
  const patterns = await patternsOf(options.include, options.repoRoot);
  const usable = patterns.filter((pattern) => pattern.trim() !== '' && !/[\r\n]/.test(pattern));
  const included: WorktreeMarker['included'] = [];
  const skipped: { path: string; reason: string }[] = [];
  if (usable.length === 0) return { included, skipped };
  for (const path of await ignoredFiles(options, usable)) {
    options.signal?.throwIfAborted();
    try {
      const reason = await copyOne(options.repoRoot, options.root, path);
      if (reason !== null) skipped.push({ path, reason });
      else {
        const { size, mtimeMs } = await lstat(join(options.root, path));
        included.push({ path, size, mtimeMs });
      }
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ENOSPC' || code === 'EDQUOT') throw error;
      skipped.push({ path, reason: message });
    }
  }
  return { included, skipped };
}

async function patternsOf(include: IncludeSetting, repoRoot: string): Promise<readonly string[]> {
  if (include === 'none') return [];
  return include === 'auto' ? configuredPatterns(repoRoot) : include;
}

/** Patterns in gitignore syntax from the repository's own files. */
async function configuredPatterns(repoRoot: string): Promise<string[]> {
  const own = await readIfThere(join(repoRoot, '.worktreeinclude'));
  if (own !== null) return own.replace(/^\ufeff/, '').split(/\r?\n/);
  const settings = await readIfThere(join(repoRoot, '.vscode', 'settings.json'));
  if (settings === null || settings.trim() === '') return [];
  const value: unknown = JSON.parse(jsonrepair(settings));
  const list = (value as Record<string, unknown> | null)?.['git.worktreeIncludeFiles'];
  return Array.isArray(list) ? list.filter((item): item is string => typeof item === 'string') : [];
}

/** Git matches the patterns and says which of the matches it ignores: its own semantics, not a copy of them. */
async function ignoredFiles(
  options: { git: Git; repoRoot: string; scratchDir: string; signal?: AbortSignal | undefined },
  patterns: readonly string[],
): Promise<string[]> {
  const call = { cwd: options.repoRoot, readOnly: true, signal: options.signal };
  const patternFile = join(options.scratchDir, `.include-${randomUUID()}`);
  await writeFile(patternFile, `${patterns.join('\n')}\n`);
  try {
    const matches = await options.git.run(
      ['ls-files', '-z', '--others', '--ignored', `--exclude-from=${patternFile}`],
      call,
    );
    const paths = matches.stdout
      .toString('utf8')
      .split('\0')
      .filter((path) => path !== '');
    if (paths.length === 0) return [];
    const ignored = await options.git.run(['check-ignore', '-z', '--stdin'], {
      ...call,
      // The command knows no literal pathspecs; the prefix keeps a name that starts with a colon from being one of magic.
      input: paths.map((path) => `./${path}\0`).join(''),
      env: { GIT_LITERAL_PATHSPECS: '0' },
      okCodes: [0, 1],
    });
    const answer = ignored.stdout
      .toString('utf8')
      .split('\0')
      .map((path) => path.slice(2));
    return answer.filter((path) => path !== '' && !path.endsWith('/'));
  } finally {
    await rm(patternFile, { force: true });
  }
}

/** Copies one file; returns why it was left out, or null. */
async function copyOne(repoRoot: string, root: string, path: string): Promise<string | null> {
  const from = join(repoRoot, path);
  const to = join(root, path);
  const source = await lstat(from);
  if (!source.isFile() && !source.isSymbolicLink()) return 'neither a file nor a symbolic link';
  const parent = await deepestExisting(dirname(to));
  const realRoot = await realpath(root);
  const realParent = await realpath(parent);
  if (realParent !== realRoot && !realParent.startsWith(realRoot + sep)) {
    return 'its folder is a symbolic link that leads out of the worktree';
  }
  await mkdir(dirname(to), { recursive: true });
  if (await lstatOrNull(to)) return 'the worktree has a file of that name already';
  if (source.isSymbolicLink()) {
    await symlink(await readlink(from), to);
    return null;
  }
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    await utimes(to, source.atime, source.mtime);
  } catch (error) {
    await rm(to, { force: true });
    throw error;
  }
  return null;
}

async function deepestExisting(folder: string): Promise<string> {
  return existsSync(folder) ? folder : deepestExisting(dirname(folder));
}

async function lstatOrNull(path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}
