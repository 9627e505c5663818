import { posix } from 'node:path';
import { sanitiseLine } from '../../../base/sanitise.ts';
import { formatPlural } from '../../../protocol/statusLineParts.ts';
import type { ReviewState } from '../../../protocol/ui/uiTools.ts';
import { lineCounts } from './jobFacts.ts';
import { joinParts, type Row } from './row.ts';

export type FileChange = ReviewState['files'][number];

const CHANGES: Readonly<Record<FileChange['change'], string>> = {
  added: 'added',
  modified: 'modified',
  deleted: 'deleted',
  renamed: 'renamed',
  mode: 'mode changed',
  type: 'type changed',
  submodule: 'submodule changed',
  ignored: 'ignored by git',
  nested: 'a repository of its own',
};

const DECISIONS: Readonly<Record<FileChange['decision'], string | null>> = {
  open: null,
  taken: 'accepted',
  dropped: 'rejected',
};

export interface FileRowOptions {
  /** Its folder stands above it as a row of its own. */
  readonly isInFolder: boolean;
  /** There is still something to decide: a decided job's files are only looked at. */
  readonly isOpen: boolean;
}

export function fileRow(
  jobId: string,
  file: FileChange,
  { isInFolder, isOpen }: FileRowOptions,
): Row {
  const path = sanitiseLine(file.path, 400);
  const folder = posix.dirname(path);
  const from = file.oldPath === null ? null : `from ${sanitiseLine(file.oldPath, 400)}`;
  const mode =
    file.oldMode !== null && file.newMode !== null && file.oldMode !== file.newMode
      ? `${file.oldMode} → ${file.newMode}`
      : null;
  const lines = file.binary ? 'binary' : lineCounts(file.additions, file.deletions).trim();
  // The letter beside the row says modified, added and so on; the rest has no letter that everybody knows.
  const isCommon = ['added', 'modified', 'deleted', 'renamed'].includes(file.change);
  const decision = DECISIONS[file.decision];
  const words = [isCommon ? null : CHANGES[file.change], from, mode];
  return {
    id: `file:${jobId}:${file.path}`,
    label: posix.basename(path),
    description: joinParts([
      decision,
      lines,
      ...words,
      isInFolder || folder === '.' ? null : folder,
    ]),
    icon: null,
    contextValue: `;file;${isOpen ? file.decision : 'closed'};${file.change};`,
    accessibleLabel: joinParts(
      [
        path,
        CHANGES[file.change],
        from,
        mode === null ? null : `mode ${mode}`,
        file.binary ? 'binary' : linesInWords(file),
        decision ?? (isOpen ? 'not decided' : null),
      ],
      ', ',
    ),
    children: 'none',
    command: { name: 'openChange', title: 'Open Change' },
    tooltip: joinParts(
      [path, joinParts([CHANGES[file.change], decision, from, mode, lines])],
      '\n',
    ),
  };
}

export function folderRow(jobId: string, path: string, name: string, count: number): Row {
  const label = sanitiseLine(name, 200);
  return {
    id: `folder:${jobId}:${path}`,
    label,
    description: '',
    icon: null,
    contextValue: ';folder;',
    accessibleLabel: `${label}, folder, ${formatPlural(count, 'file')}`,
    children: 'expanded',
    command: null,
    tooltip: null,
  };
}

function linesInWords({ additions, deletions }: FileChange): string | null {
  if (additions === null && deletions === null) return null;
  return `${formatPlural(additions ?? 0, 'line')} added, ${deletions ?? 0} removed`;
}
