import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from './gitRunner.ts';
import { objectFormatOf, readPresent } from './journalState.ts';
import { assertWorktree } from './worktreeGit.ts';

/** A file as git stores it: after the clean filters (line ends, LFS pointer …), so that all three sides compare. */
export interface Entry {
  readonly mode: string;
  readonly oid: string;
}

export interface Sides {
  readonly base: ReadonlyMap<string, Entry>;
  readonly found: ReadonlyMap<string, Entry>;
}

/**
 * Reads the given paths of a checkout as git would store them, with a temporary index that starts as `base`: an index that
 * knows the base is what makes git keep CRLF that was committed as CRLF. `existing` are the paths that hold a file or link;
 * all other `paths` count as deleted. The user's index is not read or written.
 */
export async function readSides(options: {
  git: Git;
  cwd: string;
  scratchDir: string;
  base: string;
  paths: readonly string[];
  existing: readonly string[];
  signal?: AbortSignal | undefined;
}): Promise<Sides> {
  const { git, cwd, base, signal } = options;
  const wanted = new Set(options.paths);
  const existing = new Set(options.existing);
  return await withTempIndex(options.scratchDir, async (env) => {
    const run = async (args: string[], input?: string) =>
      await git.run(args, {
        cwd,
        env,
        maxBytes: Number.MAX_SAFE_INTEGER,
        ...(input === undefined ? {} : { input }),
        signal,
      });
    await run(['read-tree', base]);
    const baseEntries = await listIndex(run, wanted);
    const gone = [...baseEntries.keys()].filter((path) => !existing.has(path));
    const none = '0'.repeat(base.length);
    if (gone.length > 0) {
      await run(
        ['update-index', '-z', '--index-info'],
        gone.map((path) => `0 ${none}\t${path}\0`).join(''),
      );
    }
    if (existing.size > 0) {
      await run(
        ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'],
        [...existing].map((path) => `${path}\0`).join(''),
      );
    }
    return { base: baseEntries, found: await listIndex(run, existing) };
  });
}

/** What a worktree holds at these paths; no link is followed. Throws `worktree_gone`. */
export async function readWorktreeSide(
  options: {
    git: Git;
    root: string;
    base: string;
    scratchDir: string;
    signal?: AbortSignal | undefined;
  },
  paths: readonly string[],
): Promise<ReadonlyMap<string, Entry>> {
  const { git, root, base, scratchDir, signal } = options;
  await assertWorktree(git, root, signal);
  const existing: string[] = [];
  for (const path of paths) {
    const { kind } = await readPresent(root, path, { format: objectFormatOf(base) });
    if (kind === 'file') existing.push(path);
  }
  const sides = await readSides({ git, cwd: root, scratchDir, base, paths, existing, signal });
  return sides.found;
}

/** What a commit holds at these paths. */
export async function readCommitSide(
  options: { git: Git; repoRoot: string; commit: string; signal?: AbortSignal | undefined },
  paths: readonly string[],
): Promise<ReadonlyMap<string, Entry>> {
  const { git, repoRoot, commit, signal } = options;
  const { stdout } = await git.run(['ls-tree', '-r', '-z', '--full-tree', commit], {
    cwd: repoRoot,
    readOnly: true,
    maxBytes: Number.MAX_SAFE_INTEGER,
    signal,
  });
  const wanted = new Set(paths);
  const entries = new Map<string, Entry>();
  for (const record of stdout.toString('utf8').split('\0')) {
    const tab = record.indexOf('\t');
    const path = record.slice(tab + 1);
    if (tab < 0 || !wanted.has(path)) continue;
    const [mode = '', , oid = ''] = record.slice(0, tab).split(' ');
    entries.set(path, { mode, oid });
  }
  return entries;
}

/** Runs `work` with the environment of a fresh index file, which is removed afterwards. */
export async function withTempIndex<T>(
  scratchDir: string,
  work: (env: { GIT_INDEX_FILE: string }) => Promise<T>,
): Promise<T> {
  await mkdir(scratchDir, { recursive: true, mode: 0o700 });
  const directory = await mkdtemp(join(scratchDir, '.index-'));
  try {
    return await work({ GIT_INDEX_FILE: join(directory, 'index') });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function listIndex(
  run: (args: string[]) => Promise<{ stdout: Buffer }>,
  wanted: ReadonlySet<string>,
): Promise<Map<string, Entry>> {
  const { stdout } = await run(['ls-files', '--stage', '-z']);
  const entries = new Map<string, Entry>();
  for (const record of stdout.toString('utf8').split('\0')) {
    const tab = record.indexOf('\t');
    if (tab < 0) continue;
    const path = record.slice(tab + 1);
    if (!wanted.has(path)) continue;
    const [mode = '', oid = ''] = record.slice(0, tab).split(' ');
    entries.set(path, { mode, oid });
  }
  return entries;
}
