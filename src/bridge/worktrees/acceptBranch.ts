import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { BridgeError } from '../../base/bridgeError.ts';
import type { AcceptOptions } from './acceptChanges.ts';
import { allowedPaths } from './acceptGuard.ts';
import { acceptConflict } from './acceptConflict.ts';
import { selectChanges } from './acceptSelect.ts';
import type { AcceptConflict, AcceptResult, AppliedFile } from './acceptTypes.ts';
import { listWorktrees } from './cleanUpState.ts';
import { BRIDGE_IDENTITY } from './gitEnv.ts';
import { readWorktreeSide, withTempIndex } from './mergeSides.ts';
import { provenanceTrailer } from './provenance.ts';
import { DURABLE } from './undoRefs.ts';
import { assertWorktree } from './worktreeGit.ts';

/**
 * Commits base + selection on the job's branch with the provenance trailer and merges nothing. No file of the worktree or
 * of the user's checkout changes. Throws `conflict` when the branch is checked out in another worktree, which it names.
 */
export async function acceptOnBranch(options: AcceptOptions): Promise<AcceptResult> {
  const { git, repoRoot, root, base, signal } = options;
  if (options.branch === null) {
    throw new BridgeError('wrong_state', 'The job has no branch of its own.', {
      hint: 'Accept into the working tree instead.',
    });
  }
  const ref = `refs/heads/${options.branch}`;
  await assertWorktree(git, root, signal);
  await assertFree(options, ref);
  const isAllowed = await allowedPaths(repoRoot, options.allowedRoot);
  const { chosen, skipped } = selectChanges(options.files, options.selection);
  const conflicts: AcceptConflict[] = [];
  const applied: AppliedFile[] = [];
  const paths = new Set<string>();
  for (const file of chosen) {
    const names = [file.path, ...(file.oldPath === null ? [] : [file.oldPath])];
    const outside = names.find((name) => !isAllowed(name));
    if (outside !== undefined) {
      conflicts.push(acceptConflict(file.path, 'forbidden', outside));
      continue;
    }
    names.forEach((name) => paths.add(name));
    applied.push({ path: file.path, how: howOf(file.change) });
  }
  const result: AcceptResult = {
    status: 'nothing',
    applied,
    conflicts,
    skipped,
    undoRef: null,
    commit: null,
    coverage: 'exact',
  };
  if (options.dryRun) return { ...result, status: 'dry-run' };
  if (conflicts.length > 0 && (!options.skipConflicts || applied.length === 0)) {
    return { ...result, status: 'refused', applied: [] };
  }
  if (applied.length === 0) return result;
  const tree = await treeOf(options, [...paths]);
  const tip = await tipOf(options, ref);
  const message = `${subjectOf(applied)}\n\n${provenanceTrailer(options.provenance)}\n`;
  const { stdout } = await git.run([...DURABLE, 'commit-tree', tree, '-p', tip ?? base], {
    cwd: repoRoot,
    input: message,
    env: await identity(options),
    signal,
  });
  const commit = stdout.toString('utf8').trim();
  await git.run(['update-ref', '-m', 'delegate: accept', ref, commit, tip ?? ''], {
    cwd: repoRoot,
  });
  // The worktree's index follows its branch; its files stay, so that what was not taken shows as still changed.
  await git.run(['read-tree', commit], { cwd: root });
  return { ...result, status: 'applied', commit };
}

async function treeOf(options: AcceptOptions, paths: string[]): Promise<string> {
  const { git, root, base } = options;
  const scratchDir = join(options.jobDir, 'scratch');
  const found = await readWorktreeSide(
    { git, root, base, scratchDir, signal: options.signal },
    paths,
  );
  return await withTempIndex(scratchDir, async (env) => {
    await git.run(['read-tree', base], { cwd: root, env });
    const none = '0'.repeat(base.length);
    const gone = paths.filter((path) => !found.has(path)).map((path) => `0 ${none}\t${path}\0`);
    const set = [...found].map(([path, { mode, oid }]) => `${mode} ${oid}\t${path}\0`);
    await git.run(['update-index', '-z', '--index-info'], {
      cwd: root,
      env,
      input: [...gone, ...set].join(''),
    });
    return (await git.run([...DURABLE, 'write-tree'], { cwd: root, env })).stdout
      .toString('utf8')
      .trim();
  });
}

async function tipOf(options: AcceptOptions, ref: string): Promise<string | null> {
  const { stdout, code } = await options.git.run(
    ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`],
    {
      cwd: options.repoRoot,
      readOnly: true,
      okCodes: [0, 1, 128],
    },
  );
  return code === 0 ? stdout.toString('utf8').trim() : null;
}

async function assertFree(options: AcceptOptions, ref: string): Promise<void> {
  const own = await realpath(options.root);
  const holder = (await listWorktrees(options.git, options.repoRoot)).find(
    (worktree) => worktree.branch === ref && worktree.path !== own,
  );
  if (holder === undefined) return;
  throw new BridgeError(
    'conflict',
    `The branch ${options.branch} is checked out in ${holder.path}.`,
    {
      hint: 'Switch that worktree to another branch, or accept into the working tree.',
      details: { worktree: holder.path },
    },
  );
}

/** The user's identity when git knows one: it is the user who takes the change. */
async function identity(options: AcceptOptions): Promise<Readonly<Record<string, string>>> {
  const { code } = await options.git.run(['var', 'GIT_COMMITTER_IDENT'], {
    cwd: options.repoRoot,
    readOnly: true,
    okCodes: [0, 1, 128],
  });
  return code === 0 ? {} : BRIDGE_IDENTITY;
}

function subjectOf(applied: readonly AppliedFile[]): string {
  const [first] = applied;
  const name = first?.path.replace(/\s+/g, ' ') ?? '';
  return applied.length === 1 && name.length <= 50
    ? `Take the delegated change to ${name}`
    : `Take delegated changes to ${applied.length} ${applied.length === 1 ? 'file' : 'files'}`;
}

function howOf(change: AcceptOptions['files'][number]['change']): AppliedFile['how'] {
  if (change === 'deleted' || change === 'renamed' || change === 'mode') return change;
  return 'written';
}
