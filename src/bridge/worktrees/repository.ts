import { existsSync } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { BridgeError } from '../../base/bridgeError.ts';
import type { Git } from './gitRunner.ts';

export interface Repository {
  /** Top of the working tree that holds the folder asked about, with symbolic links resolved. */
  readonly repoRoot: string;
  /** The git directory that all linked worktrees of the repository share. */
  readonly commonDir: string;
  /** The git directory of this working tree; equal to `commonDir` in the main one. */
  readonly gitDir: string;
  /** The folder asked about, relative to `repoRoot`; '' at the top. */
  readonly prefix: string;
}

/** How many folders below one that is no repository are looked at for repositories to suggest. */
const MAX_SUGGESTED = 5;

/** The repository that holds `cwd`, or null when there is none (or only a bare one). Throws `git_failed` for all else. */
export async function tryFindRepository(
  git: Git,
  cwd: string,
  signal?: AbortSignal,
): Promise<Repository | null> {
  const options = { cwd, discover: true, readOnly: true, signal };
  const probe = await git.run(['rev-parse', '--is-inside-work-tree'], {
    ...options,
    okCodes: [0, 128],
  });
  if (probe.code !== 0) {
    if (/not a git repository/i.test(probe.stderr)) return null;
    // Dubious ownership and broken repositories are failures, not "no repository": run again for the full error.
    await git.run(['rev-parse', '--is-inside-work-tree'], options);
  }
  if (probe.stdout.toString('utf8').trim() !== 'true') return null;
  // One question per call: a path may hold a line end.
  const ask = (question: string) =>
    git.text(['rev-parse', '--path-format=absolute', question], options);
  const [top, common, own] = await Promise.all([
    ask('--show-toplevel'),
    ask('--git-common-dir'),
    ask('--git-dir'),
  ]);
  const [repoRoot, commonDir, gitDir, here] = await Promise.all(
    [top, common, own, cwd].map((path) => realpath(path)),
  );
  if (!repoRoot || !commonDir || !gitDir || !here)
    throw new BridgeError('internal', 'A path is missing.');
  return { repoRoot, commonDir, gitDir, prefix: relative(repoRoot, here) };
}

/** The repository that holds `cwd`; `not_a_repository` when there is none, naming repositories below the folder. */
export async function findRepository(
  git: Git,
  cwd: string,
  signal?: AbortSignal,
): Promise<Repository> {
  if (!existsSync(cwd))
    throw new BridgeError('not_a_repository', `The folder ${cwd} does not exist.`);
  const repository = await tryFindRepository(git, cwd, signal);
  if (repository) return repository;
  const below = await repositoriesBelow(cwd);
  throw new BridgeError(
    'not_a_repository',
    `${cwd} is not in the working tree of a git repository.`,
    {
      hint:
        below.length > 0
          ? `Set cwd to a repository inside it: ${below.join(', ')}.`
          : 'Run "git init" and make a first commit, or ask for isolation "none".',
      details: { repositories: below },
    },
  );
}

/** The commit that HEAD names now, never a remembered one; `no_commits` when the branch has none yet. */
export async function headCommit(
  git: Git,
  repoRoot: string,
  signal?: AbortSignal,
): Promise<string> {
  const head = await tryHeadCommit(git, repoRoot, signal);
  if (head !== null) return head;
  throw new BridgeError('no_commits', `The repository ${repoRoot} has no commit yet.`, {
    hint: 'Make a first commit, then try again.',
  });
}

export async function tryHeadCommit(
  git: Git,
  repoRoot: string,
  signal?: AbortSignal,
): Promise<string | null> {
  const result = await git.run(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], {
    cwd: repoRoot,
    readOnly: true,
    okCodes: [0, 1, 128],
    signal,
  });
  return result.code === 0 ? result.stdout.toString('utf8').trim() : null;
}

async function repositoriesBelow(folder: string): Promise<string[]> {
  const found: string[] = [];
  const look = async (parent: string, depth: number) => {
    const entries = await readdir(parent, { withFileTypes: true });
    for (const entry of entries.slice(0, 200)) {
      if (found.length >= MAX_SUGGESTED) return;
      if (!entry.isDirectory() || entry.name === 'node_modules') continue;
      const path = join(parent, entry.name);
      if (existsSync(join(path, '.git'))) found.push(path);
      else if (depth > 1) await look(path, depth - 1);
    }
  };
  await look(folder, 2);
  return found;
}
