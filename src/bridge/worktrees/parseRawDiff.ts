import { BridgeError } from '../../base/bridgeError.ts';
import type { ChangedFile } from '../../protocol/job.ts';

const GITLINK = '160000';

/** Reads `git diff --raw --numstat -z`: all raw records first, then the counts of the same files in the same order. */
export function parseRawDiff(output: string): ChangedFile[] {
  const fields = output.split('\0');
  const changes: ChangedFile[] = [];
  let at = 0;
  const next = (): string => {
    const field = fields[at++];
    if (field === undefined) throw malformed();
    return field;
  };
  while (fields[at]?.startsWith(':')) {
    const [oldMode, newMode, oldObject, newObject, status] = next().slice(1).split(' ');
    if (!oldMode || !newMode || !oldObject || !newObject || !status) throw malformed();
    const isRename = status.startsWith('R') || status.startsWith('C');
    const first = next();
    const path = isRename ? next() : first;
    changes.push({
      path,
      oldPath: isRename ? first : null,
      change: kindOf({ status, oldMode, newMode, isSameContent: oldObject === newObject }),
      additions: null,
      deletions: null,
      binary: false,
      oldMode: modeOrNull(oldMode),
      newMode: modeOrNull(newMode),
    });
  }
  for (const change of changes) {
    const counts = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(next());
    const [added, deleted, path] = counts?.slice(1) ?? [];
    // A rename has an empty path here and its two names in the fields that follow.
    const named = path === '' ? [next(), next()][1] : path;
    if (added === undefined || deleted === undefined || named !== change.path) throw malformed();
    if (change.oldMode === GITLINK || change.newMode === GITLINK) continue;
    change.binary = added === '-';
    change.additions = change.binary ? null : Number(added);
    change.deletions = change.binary ? null : Number(deleted);
  }
  // All that may be left is what follows the last NUL: nothing.
  if (at !== fields.length - 1 || fields[at] !== '') throw malformed();
  return changes;
}

function kindOf(raw: {
  status: string;
  oldMode: string;
  newMode: string;
  isSameContent: boolean;
}): ChangedFile['change'] {
  // A repository that the job made where the base has none: git would store a bare pointer to it.
  if (raw.newMode === GITLINK && raw.oldMode !== GITLINK) return 'nested';
  switch (raw.status.charAt(0)) {
    case 'A':
      return 'added';
    case 'D':
      return 'deleted';
    case 'R':
    case 'C':
      return 'renamed';
    case 'T':
      return 'type';
    case 'M':
      if (raw.newMode === GITLINK) return 'submodule';
      return raw.isSameContent ? 'mode' : 'modified';
    default:
      throw malformed();
  }
}

function modeOrNull(mode: string): string | null {
  return mode === '000000' ? null : mode;
}

function malformed(): BridgeError {
  return new BridgeError('git_failed', 'The list of changes that git gave could not be read.');
}
