import type { Git } from './gitRunner.ts';
import { keepCommit, short } from './guardRefs.ts';
import type { RepositoryState, RestoreOptions, RestoreReport } from './guardTypes.ts';

interface StashEntry {
  readonly commit: string;
  readonly message: string;
}

export async function captureStash(git: Git, repoRoot: string): Promise<string[]> {
  return (await list(git, repoRoot)).map((entry) => entry.commit);
}

/**
 * Stash entries name the branch they were made on: those made on the job's branch are dropped (and kept by a ref). Entries
 * that are gone may have been applied by the user: their commits are kept by a ref and it is said.
 */
export async function restoreStash(
  git: Git,
  state: RepositoryState,
  options: RestoreOptions,
): Promise<RestoreReport> {
  const report: RestoreReport = { restored: [], unsure: [] };
  const { repoRoot } = state;
  const before = new Set(state.stash);
  const now = await list(git, repoRoot);
  const marks = [`WIP on ${options.ownBranch}:`, `On ${options.ownBranch}:`];
  // From the oldest on, so that the numbers of the entries still to be dropped do not change.
  for (const [at, entry] of [...now.entries()].reverse()) {
    if (before.has(entry.commit) || !marks.some((mark) => entry.message.startsWith(mark))) continue;
    await keepCommit(git, state, options, entry.commit);
    const name = `stash@{${at}}`;
    const present = await git.text(['rev-parse', '--verify', name], {
      cwd: repoRoot,
      readOnly: true,
    });
    if (present !== entry.commit) {
      report.unsure.push(
        `stash entry ${short(entry.commit)} is of the job, but the list moved meanwhile`,
      );
      continue;
    }
    await git.run(['stash', 'drop', '--quiet', name], { cwd: repoRoot });
    report.restored.push(`stash entry ${short(entry.commit)} (new)`);
  }
  const left = new Set(now.map((entry) => entry.commit));
  for (const commit of state.stash) {
    if (left.has(commit)) continue;
    await keepCommit(git, state, options, commit);
    report.unsure.push(`stash entry ${short(commit)} is gone (its commit is kept)`);
  }
  return report;
}

async function list(git: Git, repoRoot: string): Promise<StashEntry[]> {
  const call = { cwd: repoRoot, readOnly: true };
  const exists = await git.run(['show-ref', '--verify', '--quiet', 'refs/stash'], {
    ...call,
    okCodes: [0, 1],
  });
  if (exists.code !== 0) return [];
  const { stdout } = await git.run(
    ['log', '--walk-reflogs', '-z', '--format=%H%x09%gs', 'refs/stash', '--'],
    call,
  );
  return stdout
    .toString('utf8')
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [commit = '', message = ''] = entry.split('\t', 2);
      return { commit, message };
    });
}
