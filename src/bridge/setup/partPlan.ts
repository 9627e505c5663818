import type { SetupPart } from '../../protocol/ui/setup.ts';
import type { PartPlan, PartState, PlannedWrite } from './setupTypes.ts';

export interface PartDraft {
  readonly part: SetupPart;
  readonly title: string;
  readonly state: PartState;
  /** What is said of the state `changed`. */
  readonly foreign: string;
  readonly note: string | null;
  readonly install: () => readonly PlannedWrite[];
  readonly remove: () => readonly PlannedWrite[];
}

/** What is to be done in which state: what somebody has changed is left alone unless told otherwise. */
export function partPlan(
  { part, title, state, foreign, note, install, remove }: PartDraft,
  action: 'install' | 'remove',
  isForced: boolean,
): PartPlan {
  const plan = (problem: string | null, writes: readonly PlannedWrite[]): PartPlan => ({
    part,
    title,
    state,
    problem,
    note,
    writes: writes.filter((write) => write.after !== write.before),
  });
  if (state === 'changed' && !isForced) return plan(foreign, []);
  if (action === 'remove') return plan(null, state === 'absent' ? [] : remove());
  return plan(null, state === 'installed' ? [] : install());
}
