import type { AcceptResult } from '../../protocol/ui/uiTools.ts';

export type Conflict = AcceptResult['conflicts'][number];

/** What the person can do about a conflict. */
export type ConflictStep = 'merge' | 'take' | 'keep' | 'save' | 'leave';

const STEPS: Record<Conflict['reason'], readonly ConflictStep[]> = {
  overlap: ['merge', 'take', 'keep', 'leave'],
  unresolved: ['merge', 'take', 'keep', 'leave'],
  binary: ['take', 'keep', 'leave'],
  exists: ['take', 'keep', 'leave'],
  deleted_by_user: ['take', 'keep', 'leave'],
  deleted_by_job: ['keep', 'leave'],
  type: ['keep', 'leave'],
  forbidden: ['keep', 'leave'],
  dirty_editor: ['save', 'leave'],
  changed_meanwhile: ['leave'],
  changed_since: ['leave'],
};

/** The answers to a conflict, the one that keeps most first. */
export function stepsFor(conflict: Conflict): readonly ConflictStep[] {
  return STEPS[conflict.reason];
}

/**
 * An accept that met conflicts: what was selected, and what the person has decided about each of them so far. Nothing is written
 * before all are settled, so one Undo takes all of it back.
 */
export class ConflictSession {
  readonly jobId: string;
  /** Paths of the selection; those that are left out or rejected meanwhile are not in it any more. */
  readonly files: Set<string>;
  readonly resolved = new Map<string, string>();
  readonly left = new Set<string>();
  #conflicts: readonly Conflict[] = [];

  constructor(jobId: string, files: readonly string[]) {
    this.jobId = jobId;
    this.files = new Set(files);
  }

  /** What the engine said last; a text that it did not take has to be made again. */
  set conflicts(conflicts: readonly Conflict[]) {
    this.#conflicts = conflicts;
    for (const { path, reason } of conflicts)
      if (reason !== 'dirty_editor') this.resolved.delete(path);
  }

  /** The editor that was in the way is saved: the engine is asked again. */
  saved(path: string): void {
    this.#conflicts = this.#conflicts.filter((conflict) => conflict.path !== path);
  }

  /** Conflicts that nothing has been decided about. */
  get open(): readonly Conflict[] {
    return this.#conflicts.filter(
      ({ path }) => !this.resolved.has(path) && !this.left.has(path) && this.files.has(path),
    );
  }

  /** Those of them for which there is a merge editor. */
  get toMerge(): readonly Conflict[] {
    return this.open.filter((conflict) => stepsFor(conflict)[0] === 'merge');
  }

  /** How many files of the selection have no conflict. */
  get clean(): number {
    const blocked = new Set(this.#conflicts.map(({ path }) => path));
    return [...this.files].filter((path) => !blocked.has(path)).length;
  }

  /** What an accept may take now. */
  get takable(): string[] {
    return [...this.files].filter((path) => !this.left.has(path));
  }

  /** Place of a merge among those of this accept, from 1. */
  place(path: string): { readonly at: number; readonly of: number } {
    const merges = this.#conflicts.filter((conflict) => stepsFor(conflict)[0] === 'merge');
    const at = merges.findIndex((conflict) => conflict.path === path);
    return { at: Math.max(at, 0) + 1, of: Math.max(merges.length, 1) };
  }
}
