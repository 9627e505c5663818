import { planAccept, type PlanOptions } from './acceptPlan.ts';
import type { AcceptResult } from './acceptTypes.ts';
import { writeAsOne } from './acceptWrite.ts';
import type { OnStep } from './journalRun.ts';

export interface AcceptLockedOptions extends PlanOptions {
  readonly jobDir: string;
  readonly jobId: string;
  readonly skipConflicts: boolean;
  readonly dryRun: boolean;
  readonly onStep?: OnStep | undefined;
}

/** Plans the change, decides on the conflicts and writes it as one; the caller holds the repository's lock. */
export async function acceptLocked(options: AcceptLockedOptions): Promise<AcceptResult> {
  const plan = await planAccept(options);
  const result: AcceptResult = {
    status: 'nothing',
    applied: plan.applied,
    conflicts: plan.conflicts,
    skipped: plan.skipped,
    undoRef: null,
    commit: null,
    coverage: plan.isMerged ? 'merged' : 'exact',
  };
  if (options.dryRun) return { ...result, status: 'dry-run' };
  const refused: AcceptResult = { ...result, status: 'refused', applied: [], coverage: 'exact' };
  if (plan.conflicts.length > 0 && (!options.skipConflicts || plan.steps.length === 0)) {
    return refused;
  }
  if (plan.steps.length === 0) return result;
  options.signal?.throwIfAborted();
  const written = await writeAsOne({
    ...options,
    kind: 'accept',
    steps: plan.steps,
    usedRef: null,
  });
  if (written.status === 'changed') {
    return { ...refused, conflicts: [...plan.conflicts, written.conflict] };
  }
  return { ...result, status: 'applied', undoRef: written.undoRef };
}
