import type { JobRecord } from '../../../src/protocol/job.ts';
import { groupOf } from '../../../src/protocol/jobGroup.ts';
import {
  ACTIONS_WITHOUT_TRUST,
  type PanelAction,
} from '../../../src/protocol/jobPanel/panelActions.ts';

import { isLive } from './isLive.ts';

interface ActionButton {
  readonly action: PanelAction;
  readonly label: string;
  readonly icon: string;
  readonly isPrimary: boolean;
  /** Why it is off; null when it can be pressed. */
  readonly whyOff: string | null;
}

const RESTRICTED = 'Not in Restricted Mode: trust this workspace first.';

const BUTTONS: Readonly<Record<PanelAction, readonly [label: string, icon: string]>> = {
  cancelJob: ['Cancel', 'debug-stop'],
  resumeJob: ['Resume', 'debug-continue'],
  retryJob: ['Retry on…', 'debug-rerun'],
  reviewJob: ['Review', 'diff-multiple'],
  acceptJob: ['Accept', 'check-all'],
  rejectJob: ['Reject', 'close'],
  undoAccept: ['Undo Accept', 'discard'],
  restoreJob: ['Restore', 'history'],
  runGate: ['Run Gate', 'beaker'],
  openWorktree: ['Open Worktree', 'folder-opened'],
  copyReceipt: ['Copy Receipt', 'copy'],
};

/** The buttons for a job as it is now, the likeliest first. `resumeJob` stands with the text field that belongs to it. */
export function jobActions(job: JobRecord, isTrusted: boolean): ActionButton[] {
  const actions = offered(job);
  const first = actions[0];
  return actions.map((action) => {
    const [label, icon] = BUTTONS[action];
    const isFree = isTrusted || ACTIONS_WITHOUT_TRUST.includes(action);
    const isPrimary = action === first && (action === 'reviewJob' || action === 'acceptJob');
    return { action, label, icon, isPrimary, whyOff: isFree ? null : RESTRICTED };
  });
}

/** Whether a session is there that can be gone on with, in the folder that it knows. */
export function canResume(job: JobRecord): boolean {
  const hasFolder = job.isolation === 'none' || job.worktree?.kept === true;
  return !isLive(job) && job.sessionId !== null && hasFolder;
}

function offered(job: JobRecord): PanelAction[] {
  const waits = groupOf(job) === 'review';
  const isInPlace = job.isolation === 'none';
  const hasChanges = job.filesChanged.length > 0;
  const hasTree = !isInPlace && job.worktree?.kept === true;
  const { status, files } = job.review;
  const isUndoable =
    status === 'accepted' ||
    (status === 'partly' && files.length > 0) ||
    (status === 'rejected' && isInPlace);
  const offers: readonly (readonly [PanelAction, boolean])[] = [
    ['cancelJob', isLive(job)],
    ['reviewJob', (waits || hasTree) && hasChanges],
    ['acceptJob', waits && hasChanges],
    ['rejectJob', waits],
    ['undoAccept', isUndoable],
    ['restoreJob', status === 'rejected' && !isInPlace],
    ['runGate', waits && job.worktree?.kept === true],
    ['retryJob', !isLive(job)],
    ['openWorktree', hasTree],
    ['copyReceipt', true],
  ];
  return offers.filter(([, isOffered]) => isOffered).map(([action]) => action);
}
