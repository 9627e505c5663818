import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { withStagedTree, type TreeAgainstBase } from './changeList.ts';

export interface TreeHash {
  /** Changes whenever the tree changes: tracked and untracked content, and names, sizes and times of what is ignored. */
  readonly hash: string;
  /** Git tree of tracked and untracked files. */
  readonly tree: string;
}

/** Stands for what a tree holds; a read-only job has the same before and after. */
export async function treeHash(options: TreeAgainstBase): Promise<TreeHash> {
  return withStagedTree(options, 'scratch', async ({ index, nested, ignored }) => {
    const tree = (await index.run(['write-tree'])).stdout.toString('utf8').trim();
    const hash = createHash('sha256').update(tree);
    for (const path of [...nested, ...ignored].sort()) {
      const { size, mtimeMs } = await lstat(join(options.root, path));
      hash.update(`\0${path}\0${size}\0${mtimeMs}`);
    }
    return { hash: hash.digest('hex'), tree };
  });
}
