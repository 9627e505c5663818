import type { Failure } from '../protocol/job.ts';
import { treeHash } from '../bridge/worktrees/treeHash.ts';
import type { TreeAgainstBase } from '../bridge/worktrees/changeList.ts';
import type { JobTree } from './jobTree.ts';

export interface TreeWatch {
  /** The failure of a read-only job that changed its tree; null when it is as it was. */
  failure(): Promise<Failure | null>;
}

/** A read-only job is given no tool that writes; the hash of its tree before and after proves that nothing was. */
export async function watchTree(tree: JobTree): Promise<TreeWatch> {
  const against: TreeAgainstBase | null = tree.against;
  if (against === null) return { failure: async () => null };
  const before = await treeHash(against);
  return {
    failure: async () => {
      const after = await treeHash(against);
      if (after.hash === before.hash) return null;
      const changed = (await tree.changes()) ?? [];
      return {
        kind: 'read_only_violated',
        message: `The job was read-only, but files of its tree changed${
          changed.length === 0
            ? ''
            : `: ${changed
                .slice(0, 5)
                .map((file) => file.path)
                .join(', ')}`
        }.`,
        hint: 'If you edited them yourself while it ran, that is the reason; otherwise look at the transcript.',
      };
    },
  };
}
