import type { JobRecord, WorktreeRecord } from '../../protocol/job.ts';
import type { BridgeContext } from '../bridgeContext.ts';
import { gateTreeFactKey } from '../gates/gateTree.ts';
import { treeHash } from '../worktrees/treeHash.ts';
import { WorktreeGit } from '../worktrees/worktreeGit.ts';

/** Whether the gate of a job saw what its worktree holds now; `exact` for a job of which that is not known. */
export async function presentCoverage(
  context: BridgeContext,
  job: JobRecord,
  tree: WorktreeRecord,
): Promise<'exact' | 'edited'> {
  const judged = context.store.fact(gateTreeFactKey(job.id))?.value;
  if (judged === undefined) return 'exact';
  const git = new WorktreeGit(await context.git(), tree.root);
  const present = await treeHash({ git, root: tree.root, base: tree.base });
  return present.tree === judged ? 'exact' : 'edited';
}
