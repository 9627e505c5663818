import type { ReviewState } from '../../protocol/ui/uiTools.ts';

export type ReviewFile = ReviewState['files'][number];

/** Kinds of entries that have no two texts to lay side by side. */
const WITHOUT_DIFF: Partial<Record<ReviewFile['change'], string>> = {
  ignored: 'ignored by git: taken only when it is accepted by itself',
  nested: 'a repository of its own inside the worktree: never taken',
  submodule: 'submodule pointer: never taken',
};
const BOM = [0xef, 0xbb, 0xbf];

/** Whether the change is one of two texts or pictures; what is not is told in words. */
export function hasDiff(file: ReviewFile): boolean {
  return !(file.change in WITHOUT_DIFF);
}

/** What a diff of the texts does not show about a change, each in a few words. */
export function changeNotes(
  file: ReviewFile,
  sides?: { readonly base: Uint8Array; readonly job: Uint8Array },
): string[] {
  const { change, oldPath, oldMode, newMode } = file;
  const notes: string[] = [];
  const without = WITHOUT_DIFF[change];
  if (without !== undefined) notes.push(without);
  if (oldPath !== null && oldPath !== file.path) notes.push(`renamed from ${oldPath}`);
  if (change === 'type') notes.push(`${kindOf(oldMode)} → ${kindOf(newMode)}`);
  else if (isFileMode(oldMode) && isFileMode(newMode) && oldMode !== newMode)
    notes.push(`mode ${oldMode.slice(-3)} → ${newMode.slice(-3)}`);
  else if (change === 'added' && newMode === '100755') notes.push('executable');
  if (newMode === '120000' && change !== 'type') notes.push('link: its text is its target');
  if (sides !== undefined && !file.binary && change !== 'added' && change !== 'deleted')
    notes.push(...textNotes(sides.base, sides.job));
  return notes;
}

/** A diff editor shows neither line ends nor byte order marks. */
function textNotes(base: Uint8Array, job: Uint8Array): string[] {
  const notes: string[] = [];
  const [before, after] = [lineEnds(base), lineEnds(job)];
  if (before !== after && before !== 'none' && after !== 'none')
    notes.push(`line ends ${before} → ${after}`);
  if (hasBom(base) !== hasBom(job))
    notes.push(hasBom(job) ? 'byte order mark added' : 'byte order mark removed');
  return notes;
}

function lineEnds(bytes: Uint8Array): 'LF' | 'CRLF' | 'mixed' | 'none' {
  let [lf, crlf] = [0, 0];
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    if (bytes[at - 1] === 13) crlf += 1;
    else lf += 1;
  }
  if (lf > 0 && crlf > 0) return 'mixed';
  if (lf === 0 && crlf === 0) return 'none';
  return crlf > 0 ? 'CRLF' : 'LF';
}

function hasBom(bytes: Uint8Array): boolean {
  return BOM.every((byte, at) => bytes[at] === byte);
}

function isFileMode(mode: string | null): mode is string {
  return mode?.startsWith('100') === true;
}

function kindOf(mode: string | null): string {
  if (mode === '120000') return 'link';
  return mode === '160000' ? 'submodule' : 'file';
}
