import { formatPlural } from '../../protocol/statusLineParts.ts';
import type { SetupPart } from '../../protocol/ui/setup.ts';
import type { SetupPlan } from '../../protocol/ui/uiTools.ts';

type PlannedPart = SetupPlan['parts'][number];

/** A part of the set-up as a row with a check box. */
export interface SetupRow {
  readonly part: SetupPart;
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly isChecked: boolean;
  /** Somebody has changed it since it was written: whoever checks it all the same means it. */
  readonly needsForce: boolean;
}

const STATES: Readonly<Record<PlannedPart['state'], string>> = {
  absent: 'not there',
  installed: 'set up',
  outdated: 'an older version is there',
  changed: 'changed since it was written',
  unknown: 'cannot be read',
};

/** The parts that something can be done about. Checked is what can be done without harm. */
export function setupRows({ parts }: SetupPlan, verb: 'install' | 'remove'): SetupRow[] {
  return parts
    .filter(({ state, changes }) => changes.length > 0 || state === 'changed')
    .map(({ part, title, state, changes }) => ({
      part,
      label: title,
      description: STATES[state],
      detail:
        state === 'changed' && changes.length === 0
          ? `${verb === 'install' ? 'Replaces' : 'Removes'} what you or somebody else has written there.`
          : changes.map(({ file }) => file).join(' · '),
      isChecked: changes.length > 0,
      needsForce: state === 'changed',
    }));
}

/** What is said of the parts that nothing can be done about: how they are, or why. */
export function restOfParts({ parts }: SetupPlan): string[] {
  return parts
    .filter(({ state, changes }) => changes.length === 0 && state !== 'changed')
    .filter(({ problem }) => problem !== null)
    .map(({ problem }) => problem ?? '');
}

/** One sentence when all is done. */
export function describeSetupDone(
  parts: readonly PlannedPart[],
  verb: 'install' | 'remove',
): string {
  const done = parts.filter(({ problem }) => problem === null);
  if (done.length === 0) return '';
  const names = done.map(({ part }) => part).join(', ');
  return verb === 'install'
    ? `Claude Code is set up (${names}). Start its sessions again to use it.`
    : `Removed from Claude Code: ${names}.`;
}

/** The confirmation's row that writes. */
export function confirmLabel(files: number, verb: 'install' | 'remove'): string {
  return `${verb === 'install' ? 'Write' : 'Write or remove'} ${formatPlural(files, 'file')}`;
}
