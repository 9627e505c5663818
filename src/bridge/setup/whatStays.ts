import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { BridgeError } from '../../base/bridgeError.ts';
import { JobStore } from '../jobs/jobStore.ts';
import { GitRunner } from '../worktrees/gitRunner.ts';
import type { SetupOptions } from './setupTypes.ts';

const GIT_LIMIT_MS = 1_000;

/** What the work of jobs leaves behind when the extension goes: lines for a person, nothing is removed. */
export async function whatStays({ env, stateDir }: SetupOptions): Promise<string[]> {
  if (!existsSync(join(stateDir, 'bridge.sqlite'))) return [];
  const lines = [`Jobs and receipts stay in ${stateDir}.`];
  const store = new JobStore(stateDir);
  try {
    const jobs = store.list();
    const trees = jobs.flatMap(({ record }) => record.worktree?.root ?? []);
    for (const root of new Set(trees.filter((tree) => existsSync(tree)))) {
      lines.push(`Worktree that stays: ${root}`);
    }
    const git = new GitRunner({ env });
    const roots = new Set(jobs.flatMap(({ spec }) => spec.repoRoot ?? []));
    for (const root of roots) lines.push(...(await refsIn(root, git)));
  } finally {
    store.close();
  }
  return lines;
}

async function refsIn(root: string, git: GitRunner): Promise<string[]> {
  if (!existsSync(root)) return [];
  const names = ['refs/delegate', 'refs/heads/delegate'];
  try {
    const refs = await git.text(['for-each-ref', '--format=%(refname)', ...names], {
      cwd: root,
      readOnly: true,
      timeoutMs: GIT_LIMIT_MS,
    });
    const found = refs.split('\n').filter((ref) => ref !== '');
    return found.map((ref) => `Ref that stays in ${root}: ${ref}`);
  } catch (error) {
    return [`The refs in ${root} could not be listed: ${BridgeError.from(error).message}`];
  }
}
