import { BridgeError } from '../../base/bridgeError.ts';
import type { ChangedFile } from '../../protocol/job.ts';
import type { SkippedFile } from './acceptTypes.ts';

/**
 * The changes that a selection names (a renamed file by either name), apart from those that an accept never writes. Throws
 * `bad_argument` for a path that is no change of the job.
 */
export function selectChanges(
  files: readonly ChangedFile[],
  selection: readonly string[] | 'all',
): { chosen: ChangedFile[]; skipped: SkippedFile[] } {
  const wanted = selection === 'all' ? null : new Set(selection);
  const chosen: ChangedFile[] = [];
  const skipped: SkippedFile[] = [];
  const named = new Set<string>();
  for (const file of files) {
    const names = [file.path, ...(file.oldPath === null ? [] : [file.oldPath])];
    if (wanted !== null && !names.some((name) => wanted.has(name))) continue;
    names.forEach((name) => named.add(name));
    if (file.change === 'submodule' || file.change === 'nested') {
      skipped.push({ path: file.path, reason: file.change });
    } else if (file.change === 'ignored' && (wanted === null || file.path.endsWith('/'))) {
      // Build output and the like is taken only when somebody asks for that very file.
      skipped.push({ path: file.path, reason: 'ignored' });
    } else {
      chosen.push(file);
    }
  }
  const unknown = [...(wanted ?? [])].filter((path) => !named.has(path));
  if (unknown.length > 0) {
    throw new BridgeError('bad_argument', `The job has not changed ${unknown.join(', ')}.`, {
      hint: 'Name files as the change list of the job shows them.',
      details: { unknown, changed: files.map((file) => file.path) },
    });
  }
  return { chosen, skipped };
}
