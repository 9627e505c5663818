import { BridgeError } from '../base/bridgeError.ts';
import type { ChangedFile, GateResult, JobRecord } from '../protocol/job.ts';
import type { BridgeContext } from './bridgeContext.ts';
import { gateNamed } from './gates/gateNamed.ts';
import { gateTreeFactKey } from './gates/gateTree.ts';
import { judgeTree } from './gates/judgeTree.ts';
import { isFinal } from './jobs/status.ts';
import { startHostGuard } from './processes/hostGuard.ts';
import { listChanges, type TreeAgainstBase } from './worktrees/changeList.ts';
import { treeHash } from './worktrees/treeHash.ts';
import { WorktreeGit } from './worktrees/worktreeGit.ts';

/** Where a gate runs again. `against` null: in the checkout, where what was accepted lies now. */
interface GatePlace {
  readonly cwd: string;
  readonly files: readonly ChangedFile[];
  readonly against: TreeAgainstBase | null;
  readonly covers: GateResult['covers'];
}

/**
 * Runs a gate on the tree of a finished job as it is now, after a person edited it, say; of a job that was accepted and has no tree any
 * more, in the checkout, where merges gave content that no gate saw. One that is stopped by the signal is no verdict.
 */
export async function gateFinishedJob(
  context: BridgeContext,
  job: JobRecord,
  name: string | null,
  signal: AbortSignal = new AbortController().signal,
): Promise<JobRecord> {
  if (!isFinal(job.status))
    throw new BridgeError('wrong_state', `The job ${job.id} is still ${job.status}.`, {
      hint: 'Wait for its end.',
    });
  const gateName = name ?? job.gate?.name ?? null;
  if (gateName === null)
    throw new BridgeError('bad_argument', 'The job had no gate.', {
      hint: 'Name the gate to run.',
    });
  const stored = context.store.find(job.id);
  const gate = gateNamed(context.loadConfig(stored?.spec.repoRoot ?? null), gateName);
  const { cwd, files, against, covers } = await placeOf(context, job);
  const guard = startHostGuard(job.id);
  try {
    const result = await judgeTree(
      { context, jobId: job.id, guard, name: gateName, gate, cwd, signal },
      files,
      stored?.spec.request.mayChange ?? [],
      job.gate?.base ?? 'unknown',
    );
    if (signal.aborted)
      throw new BridgeError('cancelled', `The gate ${gateName} was stopped before its end.`);
    if (against !== null) {
      const judged = await treeHash(against);
      context.store.setFact(gateTreeFactKey(job.id), judged.tree, new Date());
    }
    return context.store.update(job.id, (present) => ({
      ...present,
      gate: { ...result, covers },
      filesChanged: [...files],
    }));
  } finally {
    await guard.close();
  }
}

async function placeOf(context: BridgeContext, job: JobRecord): Promise<GatePlace> {
  const { worktree: tree, runCwd, review, gate, filesChanged: files } = job;
  const inCheckout = { files, against: null, covers: 'exact' } as const;
  if (tree !== null && runCwd !== null && job.isolation === 'none')
    return { ...inCheckout, cwd: runCwd };
  if (tree?.kept === true && runCwd !== null) {
    const git = new WorktreeGit(await context.git(), tree.root);
    const against = { git, root: tree.root, base: tree.base };
    // What was merged into the checkout is still unseen when only the rest, in the worktree, is judged.
    const isMerged = gate?.covers === 'merged' && review.files.length > 0;
    return {
      cwd: runCwd,
      files: await listChanges(against),
      against,
      covers: isMerged ? 'merged' : 'exact',
    };
  }
  if (tree !== null && review.files.length > 0) return { ...inCheckout, cwd: job.cwd };
  throw new BridgeError('worktree_gone', `The job ${job.id} has no tree any more.`, {
    hint: 'Restore it first, if it was rejected.',
  });
}
