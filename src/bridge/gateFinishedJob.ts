import { BridgeError } from '../base/bridgeError.ts';
import type { JobRecord } from '../protocol/job.ts';
import type { BridgeContext } from './bridgeContext.ts';
import { gateTreeFactKey } from './gates/gateTree.ts';
import { judgeTree } from './gates/judgeTree.ts';
import { isFinal } from './jobs/status.ts';
import { startHostGuard } from './processes/hostGuard.ts';
import { listChanges } from './worktrees/changeList.ts';
import { treeHash } from './worktrees/treeHash.ts';
import { WorktreeGit } from './worktrees/worktreeGit.ts';

/** Runs a gate on the tree of a finished job as it is now, after a person edited it, say. One that is stopped by the signal is no verdict. */
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
  const config = context.loadConfig(stored?.spec.repoRoot ?? null).config;
  const gate = Object.hasOwn(config.gates, gateName) ? config.gates[gateName] : undefined;
  if (gate === undefined) {
    throw new BridgeError('unknown_gate', `There is no gate ${gateName}.`, {
      hint:
        Object.keys(config.gates).length === 0
          ? 'Define it under gates in models.yaml.'
          : `Known gates: ${Object.keys(config.gates).join(', ')}.`,
    });
  }
  const tree = job.worktree;
  if (tree === null || !tree.kept || job.runCwd === null) {
    throw new BridgeError('worktree_gone', `The job ${job.id} has no tree any more.`, {
      hint: 'Restore it first, if it was rejected.',
    });
  }
  const git =
    job.isolation === 'none'
      ? await context.git()
      : new WorktreeGit(await context.git(), tree.root);
  const against = { git, root: tree.root, base: tree.base };
  const files = job.isolation === 'none' ? job.filesChanged : await listChanges(against);
  const guard = startHostGuard(job.id);
  try {
    const result = await judgeTree(
      {
        context,
        jobId: job.id,
        guard,
        name: gateName,
        gate,
        cwd: job.runCwd,
        signal,
      },
      files,
      stored?.spec.request.mayChange ?? [],
      job.gate?.base ?? 'unknown',
    );
    if (signal.aborted)
      throw new BridgeError('cancelled', `The gate ${gateName} was stopped before its end.`);
    if (job.isolation === 'worktree') {
      const judged = await treeHash(against);
      context.store.setFact(gateTreeFactKey(job.id), judged.tree, new Date());
    }
    return context.store.update(job.id, (present) => ({
      ...present,
      gate: result,
      filesChanged: [...files],
    }));
  } finally {
    await guard.close();
  }
}
