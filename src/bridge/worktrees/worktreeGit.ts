import { realpath } from 'node:fs/promises';
import { BridgeError } from '../../base/bridgeError.ts';
import { gitFailure } from './gitFailure.ts';
import type { Git, GitResult, GitRunOptions } from './gitRunner.ts';
import { readMarker } from './worktreeMarker.ts';

/**
 * Git inside one worktree. Before every call git is asked where it would work: an emptied or moved worktree, or a `.git` file
 * that the job wrote, must never make a call land in the user's checkout or in a repository of the job's making.
 * Throws `worktree_gone` when the answer is not this worktree.
 */
export class WorktreeGit implements Git {
  readonly #git: Git;
  readonly root: string;

  constructor(git: Git, root: string) {
    this.#git = git;
    this.root = root;
  }

  async run(args: readonly string[], options: Omit<GitRunOptions, 'cwd'> = {}): Promise<GitResult> {
    await assertWorktree(this.#git, this.root, options.signal);
    return this.#git.run(args, { ...options, cwd: this.root });
  }

  async text(args: readonly string[], options: Omit<GitRunOptions, 'cwd'> = {}): Promise<string> {
    const { stdout } = await this.run(args, options);
    return stdout.toString('utf8').replace(/\r?\n$/, '');
  }
}

/** Throws `worktree_gone` unless git, started in `root`, works on exactly this worktree. */
export async function assertWorktree(git: Git, root: string, signal?: AbortSignal): Promise<void> {
  const here = await realpathOrNull(root);
  if (here === null) throw gone(root, 'the folder does not exist');
  const registered = (await readMarker(root))?.gitDir ?? null;
  const questions = ['--show-toplevel', ...(registered === null ? [] : ['--git-dir'])];
  const wanted = [here, ...(registered === null ? [] : [registered])];
  const { code, stdout, stderr } = await git.run(
    ['rev-parse', '--path-format=absolute', ...questions],
    { cwd: here, readOnly: true, okCodes: [0, 128], signal },
  );
  // Compared as a whole: a path may hold a line end.
  if (code === 0 && stdout.toString('utf8') === wanted.map((path) => `${path}\n`).join('')) return;
  if (code === 0) {
    const found = stdout.toString('utf8').split('\n').join(' ').trim();
    throw gone(
      root,
      found.startsWith(here)
        ? 'its .git file names another repository'
        : `git finds ${found} instead`,
    );
  }
  if (/not a git repository|must be run in a work tree/i.test(stderr)) {
    throw gone(root, 'git finds no repository there');
  }
  // Dubious ownership and the like: the full error says what to do.
  throw gitFailure(['rev-parse'], code, stderr);
}

async function realpathOrNull(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

function gone(root: string, why: string): BridgeError {
  return new BridgeError('worktree_gone', `The worktree ${root} is gone: ${why}.`, {
    hint: 'Nothing was done in your checkout. Start the job again, or clean up what is left of it.',
    details: { root },
  });
}
