import { newJobId } from '../../../src/base/ids.ts';
import { gateTreeFactKey } from '../../../src/bridge/gates/gateTree.ts';
import { createJobDir } from '../../../src/bridge/jobs/jobPaths.ts';
import { JobStore } from '../../../src/bridge/jobs/jobStore.ts';
import { newRecord } from '../../../src/bridge/jobs/newRecord.ts';
import { listChanges } from '../../../src/bridge/worktrees/changeList.ts';
import { treeHash } from '../../../src/bridge/worktrees/treeHash.ts';
import { WorktreeGit } from '../../../src/bridge/worktrees/worktreeGit.ts';
import type { GateResult, JobRecord } from '../../../src/protocol/job.ts';
import { jobWorktree } from '../../support/jobWorktree.ts';
import type { TempRepo } from '../../support/tempRepo.ts';

export interface TreeJobOptions {
  readonly task: string;
  /** What the job did: files of its worktree by absolute path of their root. */
  readonly change: (root: string) => void;
  /** Default: one named `tests` that passed on what `change` left. Null: no gate. */
  readonly gate?: Partial<GateResult> | null;
  readonly record?: Partial<JobRecord>;
}

export interface TreeJob {
  readonly id: string;
  /** Top of its worktree. */
  readonly root: string;
}

/**
 * A finished job that waits for a review, in a real worktree and with a real record, but without the agent: what a suite wants in a
 * change it writes itself, in a second and exactly.
 */
export async function treeJob(repo: TempRepo, options: TreeJobOptions): Promise<TreeJob> {
  const at = new Date();
  const id = newJobId('claude-code', at);
  const { root, branch, base, included } = await jobWorktree(repo, { jobId: id });
  options.change(root);
  const tree = { git: new WorktreeGit(repo.runner, root), root, base };
  const filesChanged = await listChanges(tree);
  const judged = (await treeHash(tree)).tree;
  const gate: GateResult = {
    name: 'tests',
    kind: 'tests',
    status: 'passed',
    base: 'red',
    covers: 'exact',
    exit: 0,
    durationS: 1,
    tail: '',
    protectedChanged: [],
    ...options.gate,
  };
  const record: JobRecord = {
    ...newRecord({
      id,
      task: options.task,
      runner: 'claude-code',
      client: { name: 'claude-code', session: null, pid: null },
      policy: 'any',
      cwd: repo.root,
      isolation: 'worktree',
      createdAt: at.toISOString(),
    }),
    status: 'done',
    endpoint: 'rehearsal',
    locality: 'local',
    modelServed: 'rehearsal',
    startedAt: at.toISOString(),
    finishedAt: at.toISOString(),
    queuedS: 0,
    elapsedS: 1,
    turns: 1,
    runCwd: root,
    worktree: { id, root, branch, base, kept: true, note: null, setup: null, included },
    filesChanged,
    gate: options.gate === null ? null : gate,
    review: { status: 'pending', by: null, at: null, files: [], dropped: [] },
    ...options.record,
  };
  const store = new JobStore(repo.stateDir);
  try {
    createJobDir(repo.stateDir, id);
    store.insert(record, {
      request: { task: record.task, cwd: record.cwd },
      servedModel: 'rehearsal',
      pool: 'default',
      poolSlots: 4,
      endpointLimit: null,
      exclusiveGroup: null,
      alternatives: [],
      failoverSinceMs: null,
      repoRoot: repo.root,
      timeoutS: 600,
      idleTimeoutS: 300,
      configFile: null,
      resume: null,
    });
    if (options.gate !== null) store.setFact(gateTreeFactKey(id), judged, at);
  } finally {
    store.close();
  }
  return { id, root };
}
