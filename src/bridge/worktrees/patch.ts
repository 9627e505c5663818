import type { ChangedFile } from '../../protocol/job.ts';
import { DIFF, withStagedTree, type TreeAgainstBase } from './changeList.ts';

/**
 * The patch from the base to the tree as it is: binary content included, so that `git apply` can use it. Bytes, since files
 * need not be UTF-8. `files` limits it; both names of a rename belong to one entry. Ignored and nested paths are never in it.
 * Cut at the last whole file, or line, below `maxBytes`.
 */
export async function readPatch(
  options: TreeAgainstBase & {
    readonly files?: readonly Pick<ChangedFile, 'path' | 'oldPath'>[];
    readonly maxBytes: number;
  },
): Promise<{ patch: Buffer; truncated: boolean }> {
  const paths = options.files?.flatMap((file) =>
    file.oldPath === null ? [file.path] : [file.oldPath, file.path],
  );
  if (paths?.length === 0) return { patch: Buffer.alloc(0), truncated: false };
  return withStagedTree(options, 'scratch', async ({ index }) => {
    const { stdout, truncated } = await index.run(
      [
        ...DIFF,
        '--binary',
        '--full-index',
        '--src-prefix=a/',
        '--dst-prefix=b/',
        options.base,
        '--',
        ...(paths ?? []),
      ],
      { readOnly: true, maxBytes: options.maxBytes, onLimit: 'cut' },
    );
    return { patch: truncated ? cut(stdout) : stdout, truncated };
  });
}

function cut(patch: Buffer): Buffer {
  const file = patch.lastIndexOf('\ndiff --git ');
  const end = file === -1 ? patch.lastIndexOf('\n') : file;
  return patch.subarray(0, end + 1);
}
