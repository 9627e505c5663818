import { sanitiseLine } from '../base/sanitise.ts';
import type { ChangedFile } from '../protocol/job.ts';
import { formatPlural } from '../protocol/statusLineParts.ts';
import { alignColumns } from '../base/alignColumns.ts';

/** One line per changed file and a sum: `modified  src/range.ts  +12 -2`. */
export function changeLines(files: readonly ChangedFile[]): string {
  if (files.length === 0) return 'Nothing was changed.';
  const rows = files.map((file) => [`  ${file.change}`, pathOf(file), countsOf(file)]);
  const additions = files.reduce((sum, file) => sum + (file.additions ?? 0), 0);
  const deletions = files.reduce((sum, file) => sum + (file.deletions ?? 0), 0);
  return `${alignColumns(rows)}\n  ${formatPlural(files.length, 'file')}, +${additions} -${deletions}`;
}

function pathOf(file: ChangedFile): string {
  const path = sanitiseLine(file.path, 300);
  return file.oldPath === null ? path : `${sanitiseLine(file.oldPath, 300)} -> ${path}`;
}

function countsOf(file: ChangedFile): string {
  if (file.binary) return 'binary';
  if (file.change === 'mode') return `${file.oldMode ?? '?'} -> ${file.newMode ?? '?'}`;
  if (file.additions === null || file.deletions === null) return '';
  return `+${file.additions} -${file.deletions}`;
}
