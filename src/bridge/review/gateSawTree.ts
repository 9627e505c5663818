import type { JobRecord, WorktreeRecord } from '../../protocol/job.ts';
import type { BridgeContext } from '../bridgeContext.ts';
import { gateTreeFactKey } from '../gates/gateTree.ts';
import { treeHash } from '../worktrees/treeHash.ts';
import { WorktreeGit } from '../worktrees/worktreeGit.ts';

/** Whether the worktree still holds what the gate of the job judged; true for a job of which that is not known. */
export async function gateSawTree(
  context: BridgeContext,
  job: JobRecord,
  tree: WorktreeRecord,
): Promise<boolean> {
  const judged = context.store.fact(gateTreeFactKey(job.id))?.value;
  if (judged === undefined) return true;
  const git = new WorktreeGit(await context.git(), tree.root);
  const present = await treeHash({ git, root: tree.root, base: tree.base });
  return present.tree === judged;
}
