import { copyFile, mkdir, mkdtemp, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Git, GitResult, GitRunOptions } from './gitRunner.ts';

export interface ScratchIndexOptions {
  readonly git: Git;
  /** Top of the working tree. */
  readonly root: string;
  /** Index to start from, for its stat cache; else the index is read from `commit`, and every file is hashed once. */
  readonly startIndex: string | null;
  /** Commit or tree to start from without a start index; null = empty. */
  readonly commit: string | null;
  /** `scratch`: blobs go to a folder that is removed too, so that looking at a tree leaves nothing in the repository. */
  readonly objects: 'repository' | 'scratch';
  readonly signal?: AbortSignal | undefined;
}

/** Git calls on a temporary index; the user's and the worktree's own index are neither read nor written by them. */
export interface ScratchIndex {
  readonly file: string;
  run(args: readonly string[], options?: Omit<GitRunOptions, 'cwd' | 'signal'>): Promise<GitResult>;
}

/** Settings that let an edit of the same size with a forged time pass as unchanged do not hold here. */
const TRUST_TIMES = ['-c', 'core.trustctime=true', '-c', 'core.checkStat=default'];

export async function withScratchIndex<T>(
  options: ScratchIndexOptions,
  work: (index: ScratchIndex) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'delegate-index-'));
  try {
    const file = join(folder, 'index');
    const env = { GIT_INDEX_FILE: file, ...(await objectEnvironment(options, folder)) };
    const run: ScratchIndex['run'] = (args, more = {}) =>
      options.git.run([...TRUST_TIMES, ...args], {
        ...more,
        cwd: options.root,
        signal: options.signal,
        env: { ...env, ...more.env },
      });
    if (options.startIndex !== null) await copyIndex(options.startIndex, file);
    else if (options.commit !== null) await run(['read-tree', options.commit]);
    return await work({ file, run });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Copies an index with its time stamp, rounded down: git compares content wherever a file is not older than the index, and
 * a copy with a newer stamp would pass files as unchanged that were written in the same instant as the original.
 */
export async function copyIndex(from: string, to: string): Promise<void> {
  const { mtimeMs } = await stat(from);
  await copyFile(from, to);
  const seconds = (Math.floor(mtimeMs) - 1) / 1000;
  await utimes(to, seconds, seconds);
}

async function objectEnvironment(
  options: ScratchIndexOptions,
  folder: string,
): Promise<Record<string, string>> {
  if (options.objects === 'repository') return {};
  const objects = join(folder, 'objects');
  await mkdir(objects);
  const shared = await options.git.text(
    ['rev-parse', '--path-format=absolute', '--git-path', 'objects'],
    { cwd: options.root, readOnly: true, signal: options.signal },
  );
  return {
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: `"${shared.replace(/[\\"]/g, '\\$&')}"`,
  };
}
