import { GitRunner, type Git } from './gitRunner.ts';

/** A runner for this machine: git-lfs is looked for once, and left out of every call when it is not there. */
export async function openGit(options: {
  env: Readonly<Record<string, string | undefined>>;
  /** Any folder that exists; no repository needed. */
  cwd: string;
  /** See `GitRunner`. */
  runsFilters: boolean;
}): Promise<GitRunner> {
  const probe = new GitRunner({ env: options.env });
  const { code } = await probe.run(['lfs', 'version'], {
    cwd: options.cwd,
    readOnly: true,
    okCodes: [0, 1, 127, 128],
  });
  return new GitRunner({
    env: options.env,
    lfsMissing: code !== 0,
    runsFilters: options.runsFilters,
  });
}

/** How many files of a tree git-lfs would fetch; without git-lfs they are small pointer files. */
export async function countLfsFiles(git: Git, root: string, signal?: AbortSignal): Promise<number> {
  const { stdout } = await git.run(['ls-files', '-z', '--', ':(attr:filter=lfs)'], {
    cwd: root,
    readOnly: true,
    signal,
    // The one place that needs pathspec magic.
    env: { GIT_LITERAL_PATHSPECS: '0' },
  });
  return stdout.reduce((count, byte) => (byte === 0 ? count + 1 : count), 0);
}
