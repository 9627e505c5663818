/** What the buttons of a job's panel do: each runs the command of the same name, on the panel's job. */
export const PANEL_ACTIONS = [
  'cancelJob',
  'resumeJob',
  'retryJob',
  'reviewJob',
  'acceptJob',
  'rejectJob',
  'undoAccept',
  'restoreJob',
  'runGate',
  'openWorktree',
  'copyReceipt',
] as const;
export type PanelAction = (typeof PANEL_ACTIONS)[number];

/** Those that look and change nothing: they work in Restricted Mode too. */
export const ACTIONS_WITHOUT_TRUST: readonly PanelAction[] = [
  'reviewJob',
  'openWorktree',
  'copyReceipt',
];
