import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Git } from './gitRunner.ts';
import type { RepositoryState, RestoreOptions, RestoreReport } from './guardTypes.ts';
import { headLogOf, headMovesSince, lastMove } from './headLogs.ts';

/** Refs that are the bridge's, or that other parts of git move on their own: remote-tracking refs (editors fetch all the time). */
const NOT_COMPARED =
  /^refs\/(delegate|heads\/delegate|remotes|stash|bisect|worktree|rewritten|prefetch)(\/|$)/;

export async function captureRefs(git: Git, repoRoot: string): Promise<Record<string, string>> {
  const { stdout } = await git.run(['for-each-ref', '--format=%(refname)%00%(objectname)'], {
    cwd: repoRoot,
    readOnly: true,
  });
  const refs: Record<string, string> = {};
  for (const line of stdout.toString('utf8').split('\n')) {
    const [name, object] = line.split('\0');
    if (name && object && !NOT_COMPARED.test(name)) refs[name] = object;
  }
  return refs;
}

/** What HEAD of each working tree names: `refs/heads/…` or a commit. */
export async function captureHeads(commonDir: string): Promise<Record<string, string>> {
  const linked = join(commonDir, 'worktrees');
  const ids = existsSync(linked) ? await readdir(linked) : [];
  const heads: Record<string, string> = {};
  for (const path of ['HEAD', ...ids.map((id) => `worktrees/${id}/HEAD`)]) {
    const file = join(commonDir, path);
    if (existsSync(file)) heads[path] = (await readFile(file, 'utf8')).trim().replace(/^ref: /, '');
  }
  return heads;
}

/**
 * A ref is put back only on evidence that the user did not move it:
 * - its new value is a commit that the job's worktree made (its HEAD log has it) and no other working tree has been at; or
 * - it is the branch checked out in another working tree, and its own log has a move that the HEAD log of that tree lacks:
 *   git in that tree writes both.
 * Everything else (a new tag, a deleted branch) may be the user's and is reported. Commits are never lost: values that are
 * put back, and those of refs that went, are kept under `refs/delegate/undo/<job>/touched/`.
 */
export async function restoreRefs(
  git: Git,
  state: RepositoryState,
  options: RestoreOptions,
): Promise<RestoreReport> {
  const { commonDir, repoRoot } = state;
  const report: RestoreReport = { restored: [], unsure: [] };
  const now = await captureRefs(git, repoRoot);
  const heads = await captureHeads(commonDir);
  const moves = await headMovesSince(commonDir, state.headLogSizes);
  const own = moves.get(headLogOf(options.worktreeId)) ?? [];
  moves.delete(headLogOf(options.worktreeId));
  const others = [...moves.values()].flat();
  const seenByOthers = new Set(others.map((move) => move.to));
  const known = new Set(Object.values(state.refs));
  const madeByJob = new Set(own.map((move) => move.to).filter((to) => !known.has(to)));

  for (const ref of new Set([...Object.keys(state.refs), ...Object.keys(now)])) {
    const [was, is] = [state.refs[ref] ?? null, now[ref] ?? null];
    if (was === is) continue;
    if (is === null) {
      await keepCommit(git, state, options, was ?? '');
      report.unsure.push(`${ref} was deleted (it was at ${short(was)}, which is kept)`);
    } else if (seenByOthers.has(is)) {
      continue;
    } else if (madeByJob.has(is) || (was !== null && (await isMovedFromOutside(ref)))) {
      await keepCommit(git, state, options, is);
      // With the value that was judged as a condition: a move in this very moment wins over the guard.
      const change = was === null ? ['-d', ref, is] : [ref, was, is];
      await git.run(['update-ref', '-m', 'delegate: put back', ...change], { cwd: repoRoot });
      report.restored.push(`${ref} (${was === null ? 'new' : 'moved'}, was at ${short(is)})`);
    } else {
      report.unsure.push(
        `${ref} ${was === null ? 'is new' : `moved from ${short(was)}`} (at ${short(is)})`,
      );
    }
  }
  for (const [path, was] of Object.entries(state.heads)) {
    if (path === `worktrees/${options.worktreeId}/HEAD`) continue;
    const log = path.replace(/HEAD$/, 'logs/HEAD');
    const is = heads[path];
    if (is !== undefined && is !== was && (moves.get(log) ?? []).length === 0) {
      report.unsure.push(`${path} changed from ${was} to ${is} without an entry in its log`);
    }
  }
  return report;

  async function isMovedFromOutside(ref: string): Promise<boolean> {
    const owner = Object.entries(state.heads).find(
      ([path, head]) =>
        head === ref && heads[path] === ref && !path.includes(`/${options.worktreeId}/`),
    );
    const last = owner ? await lastMove(commonDir, ref) : null;
    if (!last || last.to !== now[ref]) return false;
    return !others.some((move) => move.from === last.from && move.to === last.to);
  }
}

/** Keeps a commit from being collected; the refs go with the job's other undo refs. */
export async function keepCommit(
  git: Git,
  state: RepositoryState,
  options: RestoreOptions,
  commit: string,
): Promise<void> {
  await git.run(['update-ref', `refs/delegate/undo/${options.jobId}/touched/${commit}`, commit], {
    cwd: state.repoRoot,
  });
}

export function short(commit: string | null): string {
  return (commit ?? '').slice(0, 10);
}
