import type { ChangedFile } from '../../protocol/job.ts';
import type { ContentMaker } from './acceptContent.ts';
import type { AppliedHow, ConflictReason } from './acceptTypes.ts';
import type { JournalStep } from './journal.ts';
import type { FileState, Present } from './journalState.ts';
import type { Entry } from './mergeSides.ts';
import { hasConflictMarkers } from './mergeText.ts';

export type Decision =
  | { readonly kind: 'same' }
  | { readonly kind: 'conflict'; readonly reason: ConflictReason }
  | {
      readonly kind: 'apply';
      readonly how: AppliedHow;
      readonly isMerged: boolean;
      readonly steps: JournalStep[];
    };

export interface DecideOptions {
  readonly file: ChangedFile;
  /** What the user has at a path, as raw bytes. */
  readonly present: (path: string) => Present;
  readonly base: (path: string) => Entry | null;
  readonly mine: (path: string) => Entry | null;
  readonly theirs: (path: string) => Entry | null;
  readonly resolved: Buffer | undefined;
  readonly make: ContentMaker;
}

/** The three-way decision for one file: base, the user's present file, the job's file. */
export async function decideFile(options: DecideOptions): Promise<Decision> {
  const { file, make } = options;
  const isRename = file.change === 'renamed' && file.oldPath !== null && file.oldPath !== file.path;
  const from = isRename && file.oldPath !== null ? file.oldPath : file.path;
  const base = options.base(from);
  const theirs = options.theirs(file.path);
  const mineThere = options.mine(file.path);
  const mine = options.mine(from);
  const kinds = [from, file.path].map((path) => options.present(path).kind);
  if (kinds.includes('other')) return { kind: 'conflict', reason: 'type' };
  if (theirs?.mode === '160000' || base?.mode === '160000')
    return { kind: 'conflict', reason: 'type' };

  if (isRename && isSame(mineThere, theirs) && mine === null) return { kind: 'same' };
  if (isRename && mineThere !== null) {
    if (!isSame(mineThere, theirs)) return { kind: 'conflict', reason: 'exists' };
    // The new name has the content already: only the old one is left to remove.
    if (!isSame(mine, base)) return { kind: 'conflict', reason: 'deleted_by_job' };
    return { kind: 'apply', how: 'renamed', isMerged: false, steps: [remove(options, from)] };
  }
  if (!isRename && isSame(mine, theirs)) return { kind: 'same' };
  if (isSame(base, theirs) && !isRename) return { kind: 'same' };

  if (options.resolved !== undefined && theirs !== null) {
    if (hasConflictMarkers(options.resolved)) return { kind: 'conflict', reason: 'unresolved' };
    const after = await make.fromResolved(
      options.resolved,
      modeOf(base, mine, theirs),
      presentState(options, from),
    );
    return { kind: 'apply', how: 'merged', isMerged: true, steps: stepsTo(options, from, after) };
  }

  if (theirs === null) {
    if (!isSame(mine, base)) return { kind: 'conflict', reason: 'deleted_by_job' };
    return { kind: 'apply', how: 'deleted', isMerged: false, steps: [remove(options, file.path)] };
  }
  if (mine === null && base !== null) return { kind: 'conflict', reason: 'deleted_by_user' };
  if (mine !== null && base === null) return { kind: 'conflict', reason: 'exists' };

  const isUntouched = isSame(mine, base);
  const before = presentState(options, from);
  const present = options.present(from);
  const bytes = present.kind === 'file' ? present.bytes : null;
  if (isUntouched || mine === null || base === null) {
    const isModeOnly =
      mine !== null && mine.oid === theirs.oid && isRegular(mine) && isRegular(theirs);
    const after =
      isModeOnly && before !== null
        ? make.withMode(before, theirs.mode)
        : await make.fromEntry(file.path, theirs, { base, before, bytes });
    const how = isRename
      ? 'renamed'
      : isModeOnly
        ? 'mode'
        : theirs.mode === '120000'
          ? 'symlink'
          : 'written';
    return { kind: 'apply', how, isMerged: false, steps: stepsTo(options, from, after) };
  }

  if (!isRegular(base) || !isRegular(mine) || !isRegular(theirs))
    return { kind: 'conflict', reason: 'type' };
  const mode = modeOf(base, mine, theirs);
  if (before === null || bytes === null) return { kind: 'conflict', reason: 'type' };
  if (theirs.oid === base.oid || theirs.oid === mine.oid) {
    // Content is settled on the user's side; what is left is the executable bit or the new name.
    const after = make.withMode(before, mode);
    if (!isRename && after.mode === before.mode) return { kind: 'same' };
    return {
      kind: 'apply',
      how: isRename ? 'renamed' : 'mode',
      isMerged: false,
      steps: stepsTo(options, from, after),
    };
  }
  if (mine.oid === base.oid) {
    const after = await make.fromEntry(
      file.path,
      { mode, oid: theirs.oid },
      { base, before, bytes },
    );
    return {
      kind: 'apply',
      how: isRename ? 'renamed' : 'written',
      isMerged: false,
      steps: stepsTo(options, from, after),
    };
  }
  const merged = await make.merged(file.path, { base, mine, theirs, mode, before, bytes });
  if (typeof merged === 'string') return { kind: 'conflict', reason: merged };
  return {
    kind: 'apply',
    how: isRename ? 'renamed' : 'merged',
    isMerged: true,
    steps: stepsTo(options, from, merged),
  };
}

function stepsTo(options: DecideOptions, from: string, after: FileState): JournalStep[] {
  const { path } = options.file;
  const write = { path, before: presentState(options, path), after };
  return from === path ? [write] : [remove(options, from), write];
}

function remove(options: DecideOptions, path: string): JournalStep {
  return { path, before: presentState(options, path), after: null };
}

function presentState(options: DecideOptions, path: string): FileState | null {
  const present = options.present(path);
  return present.kind === 'file' ? present.state : null;
}

/** Of two possible modes, the one that somebody changed to. */
function modeOf(base: Entry | null, mine: Entry | null, theirs: Entry): string {
  if (mine === null || base === null || mine.mode === base.mode) return theirs.mode;
  return mine.mode;
}

function isSame(a: Entry | null, b: Entry | null): boolean {
  return a === null || b === null ? a === b : a.oid === b.oid && a.mode === b.mode;
}

function isRegular(entry: Entry): boolean {
  return entry.mode === '100644' || entry.mode === '100755';
}
