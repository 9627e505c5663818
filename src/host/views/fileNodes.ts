import type { JobsNode } from './jobsNode.ts';
import type { FileChange } from './rows/fileRow.ts';
import { type FileNode, fileTree } from './rows/fileTree.ts';

/** @param inside the files of a folder; null for the top of the job */
export function fileNodes(
  inside: readonly FileNode[] | null,
  parent: JobsNode & { readonly jobId: string },
  files: ReadonlyMap<string, FileChange>,
  isOpen: boolean,
  isInFolder: boolean,
): JobsNode[] {
  const { jobId } = parent;
  return (inside ?? fileTree([...files.keys()])).flatMap((node): JobsNode[] => {
    if (node.kind === 'folder') {
      const { path, name, children } = node;
      const count = countFiles(children);
      return [
        { kind: 'folder', jobId, path, name, count, inside: children, files, isOpen, parent },
      ];
    }
    const file = files.get(node.path);
    if (file === undefined) return [];
    return [
      {
        kind: 'file',
        jobId,
        path: node.path,
        file,
        isInFolder,
        isOpen,
        parent,
      },
    ];
  });
}

function countFiles(nodes: readonly FileNode[]): number {
  return nodes.reduce(
    (sum, node) => sum + (node.kind === 'file' ? 1 : countFiles(node.children)),
    0,
  );
}
