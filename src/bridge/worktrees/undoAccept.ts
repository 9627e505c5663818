import { realpath } from 'node:fs/promises';
import { BridgeError } from '../../base/bridgeError.ts';
import { acceptConflict } from './acceptConflict.ts';
import { dirtyTest } from './acceptGuard.ts';
import { recoverLocked } from './acceptRecover.ts';
import { blockedTargets } from './acceptShape.ts';
import type { AcceptConflict } from './acceptTypes.ts';
import { writeAsOne } from './acceptWrite.ts';
import type { Git } from './gitRunner.ts';
import type { JournalStep } from './journal.ts';
import { isSameState, objectFormatOf, readPresent } from './journalState.ts';
import type { OnStep } from './journalRun.ts';
import { findRepository } from './repository.ts';
import { withRepositoryLock } from './repositoryLock.ts';
import { findUndoVersion } from './undoRefs.ts';

export interface UndoOptions {
  readonly git: Git;
  readonly stateDir: string;
  readonly repoRoot: string;
  readonly jobDir: string;
  readonly jobId: string;
  /** Which accept; the newest one of the job when left out. */
  readonly n?: number | undefined;
  /** Absolute paths of files with unsaved text in any editor. */
  readonly dirtyPaths: readonly string[];
  readonly skipConflicts: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onStep?: OnStep | undefined;
}

export interface UndoResult {
  /** `nothing`: every file holds its earlier version already. */
  readonly status: 'undone' | 'refused' | 'nothing';
  readonly restored: string[];
  readonly conflicts: AcceptConflict[];
  /** Holds what the accept had written, so that an undo can be taken back as well; null when nothing was written. */
  readonly undoRef: string | null;
}

/**
 * Puts back the versions from before an accept. A file that was changed since is a conflict and is never overwritten; one
 * conflict refuses all unless `skipConflicts`. Throws `wrong_state` when there is no such accept.
 */
export async function undoAccept(options: UndoOptions): Promise<UndoResult> {
  const { git, jobDir, jobId, signal } = options;
  const repoRoot = await realpath(options.repoRoot);
  const { commonDir } = await findRepository(git, repoRoot, signal);
  return await withRepositoryLock({ stateDir: options.stateDir, commonDir, signal }, async () => {
    await recoverLocked({ git, jobDir, onStep: options.onStep });
    const version = await findUndoVersion(git, repoRoot, jobId, options.n);
    if (version === null) {
      throw new BridgeError('wrong_state', `There is no accept of job ${jobId} to undo.`, {
        hint: 'Only accepted changes can be undone, each once.',
      });
    }
    const isDirty = await dirtyTest(repoRoot, options.dirtyPaths, false);
    const conflicts: AcceptConflict[] = [];
    let steps: JournalStep[] = [];
    for (const step of version.steps) {
      const back = await stepBack(repoRoot, step);
      if (back === 'same') continue;
      if (back === 'changed') conflicts.push(acceptConflict(step.path, 'changed_since'));
      else if (isDirty(step.path)) conflicts.push(acceptConflict(step.path, 'dirty_editor'));
      else steps.push(back);
    }
    for (;;) {
      const blocked = await blockedTargets(repoRoot, steps);
      if (blocked.size === 0) break;
      for (const [path, reason] of blocked) conflicts.push(acceptConflict(path, reason));
      steps = steps.filter((step) => !blocked.has(step.path));
    }
    const result: UndoResult = { status: 'nothing', restored: [], conflicts, undoRef: null };
    if (conflicts.length > 0 && (!options.skipConflicts || steps.length === 0))
      return { ...result, status: 'refused' };
    if (steps.length === 0) return result;
    signal?.throwIfAborted();
    // With a file left out the versions before stay, so that it can be undone later.
    const usedRef = conflicts.length === 0 ? version.ref : null;
    const written = await writeAsOne({ ...options, repoRoot, kind: 'undo', steps, usedRef });
    if (written.status === 'changed')
      return { ...result, status: 'refused', conflicts: [...conflicts, written.conflict] };
    return {
      ...result,
      status: 'undone',
      restored: steps.map((step) => step.path),
      undoRef: written.undoRef,
    };
  });
}

async function stepBack(
  repoRoot: string,
  step: JournalStep,
): Promise<JournalStep | 'same' | 'changed'> {
  const format = objectFormatOf((step.before ?? step.after)?.oid ?? '');
  const present = await readPresent(repoRoot, step.path, { format });
  if (isSameState(present, step.before)) return 'same';
  if (!isSameState(present, step.after)) return 'changed';
  return {
    path: step.path,
    before: present.kind === 'file' ? present.state : null,
    after: step.before,
  };
}
